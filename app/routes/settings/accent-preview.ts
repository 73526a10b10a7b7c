import { accentColors, contrast, type Ground, normalizeHex } from "#app/ui/accent.ts";
import { pageColors } from "#app/ui/shell/themes.ts";

/** The page's colors for a picked or typed color, in each theme; null while the text is not a color. */
export function accentPreviews(typed: string) {
  const chosen = normalizeHex(typed);
  if (chosen === null) return null;
  return { chosen, dark: previewOn("dark", chosen), light: previewOn("light", chosen) };
}

function previewOn(theme: Ground, chosen: string) {
  const { accent, onAccent, accentText } = accentColors(chosen, theme);
  const ground = pageColors[theme];
  return {
    ground,
    accent,
    onAccent,
    accentText,
    onButton: contrast(accent, onAccent).toFixed(1),
    onPage: contrast(accentText, ground).toFixed(1),
  };
}

export type AccentPreviews = NonNullable<ReturnType<typeof accentPreviews>>;
export type AccentPreview = AccentPreviews[Ground];
