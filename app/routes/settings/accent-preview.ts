import { accentColors, contrast, normalizeHex } from "#app/ui/accent.ts";

/** The page's colors for a picked or typed color; null while the text is not a color. */
export function accentPreview(typed: string) {
  const chosen = normalizeHex(typed);
  if (chosen === null) return null;
  const { accent, onAccent, accentText } = accentColors(chosen);
  return {
    chosen,
    accent,
    onAccent,
    accentText,
    onButton: contrast(accent, onAccent).toFixed(1),
    onPage: contrast(accentText, "#0e0f13").toFixed(1),
  };
}

export type AccentPreview = NonNullable<ReturnType<typeof accentPreview>>;
