import { useRef, useState } from "react";
import { useHydrated } from "./use-hydrated.ts";

type Props = { label: string; text: string };

/** A text that people take elsewhere, such as a link. Without scripts they select it in the field. */
export function CopyField({ label, text }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState("");
  const isHydrated = useHydrated();
  const copy = async () => {
    field.current?.select();
    setAnswer((await isCopied(text)) ? "Copied" : "Selected. Copy it with your keyboard.");
  };
  return (
    <p className="copy-field">
      <input
        className="input"
        aria-label={label}
        value={text}
        readOnly
        ref={field}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      {isHydrated && (
        <button className="button" type="button" onClick={() => void copy()}>
          Copy
        </button>
      )}
      <span role="status">{answer}</span>
    </p>
  );
}

/** Browsers have no clipboard for a site without TLS, except on the machine itself. */
const isCopied = (text: string): Promise<boolean> =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);
