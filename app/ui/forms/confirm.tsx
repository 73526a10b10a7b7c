import type { ReactNode } from "react";

type Props = {
  label: string;
  /** Names the item for screen readers, where several buttons have the same label. */
  about?: string;
  /** Says what the action does and that it cannot be undone. */
  text: string;
  /** The button that runs the action. */
  children: ReactNode;
};

/** For actions that cannot be undone: the first press explains the action, the second press runs it. */
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
