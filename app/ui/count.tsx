import type { ReactNode } from "react";

/** A number with its label, as one box of a `<dl className="numbers">`. */
export const Count = ({ label, children }: { label: ReactNode; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd className="numeric">{children}</dd>
  </div>
);
