import { useState } from "react";
import type { Theme } from "#app/domain/accounts/accounts.ts";
import type { AccentPreview, AccentPreviews } from "./accent-preview.ts";
import { Setting } from "./preference-form.tsx";

const suggestions = [
  ["#0057E7", "Blue"],
  ["#7C3AED", "Violet"],
  ["#DB2777", "Pink"],
  ["#E5484D", "Red"],
  ["#F97316", "Orange"],
  ["#FFD400", "Yellow"],
  ["#16A34A", "Green"],
  ["#0891B2", "Turquoise"],
] as const;

type Props = { accent: string; theme: Theme; previews: AccentPreviews | null };

/** The accent color, with a preview of text on it and of text in it. */
export function AccentField({ accent, theme, previews }: Props) {
  const [typed, setTyped] = useState(accent);
  const [chosen, setChosen] = useState(previews?.chosen ?? accent);
  const [shown, setShown] = useState(previews);
  // Loaded at the first change: most visits change no color and do not need the calculations.
  const choose = (text: string) => {
    setTyped(text);
    void import("./accent-preview.ts").then(({ accentPreviews }) => {
      const previews = accentPreviews(text);
      if (previews === null) return;
      setChosen(previews.chosen);
      setShown(previews);
    });
  };
  // At once: React gives a field its value again after each event, and the form then saves what the field has.
  const pick = (color: string) => {
    setChosen(color);
    choose(color);
  };
  return (
    <div className="stack">
      <Setting name="enfasiscolor">
        <div className="field">
          <span className="field-name">Accent color</span>
          {/* Before the text field: if a name repeats, its first value counts, so a pressed button wins. */}
          <ul className="accent-suggestions" aria-label="Suggestions">
            {suggestions.map(([color, name]) => (
              <li key={color}>
                <button
                  type="submit"
                  name="enfasiscolor"
                  value={color}
                  aria-label={`${name} (${color})`}
                  aria-pressed={chosen.toLowerCase() === color.toLowerCase()}
                  onClick={() => choose(color)}
                >
                  <svg viewBox="0 0 20 20" aria-hidden="true">
                    <circle cx="10" cy="10" r="9" fill={color} />
                  </svg>
                </button>
              </li>
            ))}
          </ul>
          <div className="accent-inputs">
            <input
              type="color"
              className="script-only"
              value={chosen}
              data-saves="enfasiscolor"
              aria-label="Pick the accent color"
              onChange={(event) => pick(event.currentTarget.value)}
            />
            <input
              className="input"
              name="enfasiscolor"
              value={typed}
              aria-label="Accent color"
              required
              pattern="#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"
              title="Like #0057E7"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => choose(event.currentTarget.value)}
            />
          </div>
        </div>
      </Setting>
      {shown && theme !== "light" && <Preview name="Dark" {...shown.dark} />}
      {shown && theme !== "dark" && <Preview name="Light" {...shown.light} />}
    </div>
  );
}

/** An SVG: its colors are data, and the content security policy forbids style attributes. */
function Preview({
  name,
  ground,
  accent,
  onAccent,
  accentText,
  onButton,
  onPage,
}: AccentPreview & { name: string }) {
  return (
    <figure className="accent-preview">
      <svg viewBox="0 0 320 56" role="img" aria-label={`${name}: a button and a link in this color`}>
        <rect width="320" height="56" rx="10" fill={ground} />
        <rect x="10" y="10" width="120" height="36" rx="9" fill={accent} />
        <text x="70" y="33" textAnchor="middle" fontSize="14" fontWeight="600" fill={onAccent}>
          Watch
        </text>
        <text x="150" y="33" fontSize="14" fontWeight="600" fill={accentText}>
          Text in your color
        </text>
      </svg>
      <figcaption className="quiet numeric">
        {name}: contrast {onButton} : 1 on the button, {onPage} : 1 on the page
      </figcaption>
    </figure>
  );
}
