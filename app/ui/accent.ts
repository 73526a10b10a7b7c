/**
 * Derives the page's colors from the color that the viewer picks. In OKLCH the hue stays while the lightness changes
 * until the WCAG contrast is reached, so every choice, even black or white, gives a readable site.
 */

const defaultAccent = "#0057e7";

type Rgb = readonly [red: number, green: number, blue: number];
type Oklch = { lightness: number; chroma: number; hue: number };

type AccentColors = {
  /** Fills: buttons, the lit part of a switch. */
  accent: string;
  accentHover: string;
  /** Text on a fill. */
  onAccent: string;
  /** Text, lines, focus and progress on any surface. */
  accentText: string;
  /** The background of a selected item, below `accentText`. */
  accentSoft: string;
};

/**
 * `page`: the background of pages. `raised`: of the surfaces under accent-colored text, the one closest to the color of
 * the text.
 */
const grounds = {
  dark: { page: [0x0e, 0x0f, 0x13], raised: [0x1e, 0x21, 0x28], step: 0.01 },
  light: { page: [0xf6, 0xf7, 0xf9], raised: [0xec, 0xee, 0xf2], step: -0.01 },
} as const satisfies Record<string, { page: Rgb; raised: Rgb; step: number }>;
export type Ground = keyof typeof grounds;
const softAlpha = 0.2;

/** Converts `#rgb` or `#rrggbb`, in any case, to lower-case `#rrggbb`. Null for any other text. */
export function normalizeHex(text: string): string | null {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
}

const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

const linear = (channel: number): number => {
  const part = channel / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

const gamma = (part: number): number =>
  255 * (part <= 0.0031308 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055);

/** WCAG 2.2 contrast ratio. */
export function contrast(one: string, other: string): number {
  return contrastOf(rgbOf(one), rgbOf(other));
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [bright, dim] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (bright + 0.05) / (dim + 0.05);
}

const luminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);

function toOklch(rgb: Rgb): Oklch {
  const [red, green, blue] = rgb.map(linear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

function linearOf({ lightness, chroma, hue }: Oklch): Rgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** Reduces the chroma of a color outside sRGB and keeps its hue. */
function toRgb(color: Oklch): Rgb {
  for (let chroma = color.chroma; ; chroma -= 0.005) {
    const parts = linearOf({ ...color, chroma: Math.max(0, chroma) });
    if (chroma <= 0 || parts.every((part) => part >= -0.0005 && part <= 1.0005))
      return parts.map((part) => gamma(Math.min(1, Math.max(0, part)))) as unknown as Rgb;
  }
}

/** Changes the lightness step by step until `isEnough`, or to its limit. */
function shift(from: Rgb, step: number, isEnough: (rgb: Rgb) => boolean): Rgb {
  const color = toOklch(from);
  let current = from;
  while (!isEnough(current) && (step > 0 ? color.lightness < 1 : color.lightness > 0)) {
    color.lightness = Math.min(1, Math.max(0, color.lightness + step));
    current = rgbOf(hexOf(toRgb(color)));
  }
  return current;
}

const over = (top: Rgb, alpha: number, background: Rgb): Rgb =>
  top.map((channel, index) =>
    Math.round(channel * alpha + (background[index] ?? 0) * (1 - alpha)),
  ) as unknown as Rgb;

export function accentColors(chosen: string, ground: Ground = "dark"): AccentColors {
  const { page, raised, step } = grounds[ground];
  const picked = rgbOf(normalizeHex(chosen) ?? defaultAccent);
  const fill = shift(picked, step, (rgb) => contrastOf(rgb, page) >= 3);
  const white: Rgb = [255, 255, 255];
  const black: Rgb = [0, 0, 0];
  const onFill = contrastOf(fill, white) >= contrastOf(fill, black) ? white : black;
  let steps = 0;
  const hover = shift(fill, onFill === white ? -0.01 : 0.01, () => steps++ >= 4);
  const backgrounds = [raised, over(fill, softAlpha, raised)];
  const text = shift(fill, step, (rgb) =>
    backgrounds.every((background) => contrastOf(rgb, background) >= 4.5),
  );
  return {
    accent: hexOf(fill),
    accentHover: hexOf(hover),
    onAccent: hexOf(onFill),
    accentText: hexOf(text),
    accentSoft: `rgb(${fill.map(Math.round).join(" ")} / ${softAlpha * 100}%)`,
  };
}

/** The content of the page's style element. */
export function accentStyle(chosen: string, theme: "dark" | "light" | "system" = "dark"): string {
  const dark = accentColors(chosen);
  const base = `:root{${declarations(dark)}}`;
  if (theme === "dark") return base;
  // The watch page and the marks on pictures are dark in every theme, so they get the accent of the dark theme.
  const light = `:root[data-theme="${theme}"]{${declarations(accentColors(chosen, "light"))};--accent-over:${dark.accentText}}`;
  return `${base}${theme === "light" ? light : `@media(prefers-color-scheme:light){${light}}`}`;
}

const declarations = (colors: AccentColors) =>
  `--accent:${colors.accent};--accent-hover:${colors.accentHover};--on-accent:${colors.onAccent};--accent-text:${colors.accentText};--accent-soft:${colors.accentSoft}`;
