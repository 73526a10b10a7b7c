import type { Theme } from "#app/domain/accounts/accounts.ts";

export const themeLabels: Record<Theme, string> = {
  system: "As this device",
  dark: "Dark",
  light: "Light",
};

/** The page's background, `--surface-0` of tokens.css, for what style sheets do not reach. */
export const pageColors = { dark: "#0e0f13", light: "#f6f7f9" };
