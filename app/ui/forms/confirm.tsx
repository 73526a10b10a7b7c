import type { ReactNode } from "react";

type Props = {
  label: string;
  /** The item that the label is about, for screen readers, where several have the same label. */
  about?: string;
  /** What will happen, and that nothing brings it back. */
  text: string;
  /** The button that does it. */
  children: ReactNode;
};

/** For what cannot be undone: the first press says what will happen, the second one does it. */
export const Confirm = ({ label, about, text, children }: Props) => (
  <details className="confirm">
    <summary className="button" data-kind="ghost" data-size="small">
      {label}
      {about !== undefined && <span className="visually-hidden">: {about}</span>}
    </summary>
    <p className="quiet">{text}</p>
    {children}
  </details>
);
