import type { ReactNode } from "react";

/** One box of a `<dl className="numbers">`. */
export const Count = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd className="numeric">{children}</dd>
  </div>
);
