import { accentColors, contrast, normalizeHex } from "#app/ui/accent.ts";

/** What becomes of a color that somebody picks or types; null while it is none. */
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
