import type { MouseEvent } from "react";

const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "⌫", "0"];

/** Large digits for a remote control or a thumb. They fill the field of the form, which also takes typed digits. */
export const PinKeypad = () => (
  <div className="pin-keypad script-only">
    {keys.map((key) => (
      <button
        key={key}
        type="button"
        value={key}
        aria-label={key === "⌫" ? "Delete the last digit" : undefined}
        onClick={press}
      >
        {key}
      </button>
    ))}
  </div>
);

function press({ currentTarget: { form, value } }: MouseEvent<HTMLButtonElement>) {
  const field = form?.elements.namedItem("pin") as HTMLInputElement;
  field.value = value === "⌫" ? field.value.slice(0, -1) : field.value + value;
}
