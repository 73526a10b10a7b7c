import { useState } from "react";
import { MinusIcon, PlusIcon } from "#app/ui/icons/icons.tsx";

type Props = { step: "-1" | "1"; isAtEnd: boolean };

/**
 * One episode less or more. After the press that reaches the end, the button only looks disabled, so that it keeps the
 * focus.
 */
export function StepButton({ step, isAtEnd }: Props) {
  const [isPressed, setPressed] = useState(false);
  return (
    <button
      className="icon-button"
      type="submit"
      name="step"
      value={step}
      disabled={isAtEnd && !isPressed}
      aria-disabled={isAtEnd}
      onClick={(event) => {
        setPressed(true);
        if (isAtEnd) event.preventDefault();
      }}
    >
      {step === "1" ? <PlusIcon /> : <MinusIcon />}
      <span className="visually-hidden">{step === "1" ? "One episode more" : "One episode less"}</span>
    </button>
  );
}
