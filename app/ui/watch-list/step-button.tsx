import { type ReactNode, useState } from "react";

type Props = { step: "-1" | "1"; isAtEnd: boolean; label?: string; children: ReactNode };

/**
 * One episode less or more. After the press that reaches the end, the button only looks disabled, so that it keeps the
 * focus.
 */
export function StepButton({ step, isAtEnd, label, children }: Props) {
  const [isPressed, setPressed] = useState(false);
  return (
    <button
      className="icon-button"
      type="submit"
      name="step"
      value={step}
      disabled={isAtEnd && !isPressed}
      aria-disabled={isAtEnd}
      aria-label={label}
      onClick={(event) => {
        setPressed(true);
        if (isAtEnd) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}
