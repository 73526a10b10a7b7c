import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accentColors, accentStyle, contrast, type Ground, normalizeHex } from "#app/ui/accent.ts";

const surfaces: Record<Ground, [page: string, ...others: string[]]> = {
  dark: ["#0e0f13", "#16181d", "#1e2128"],
  light: ["#f6f7f9", "#ffffff", "#eceef2"],
};

/** The color of `accentSoft` over the surface with the lowest contrast to text. */
function softGround(soft: string, under: string): string {
  const [red, green, blue, percent] = (soft.match(/[\d.]+/g) ?? []).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const ground = [1, 3, 5].map((at) => Number.parseInt(under.slice(at, at + 2), 16));
  const mixed = [red, green, blue].map((channel, index) =>
    Math.round((channel * percent + (ground[index] ?? 0) * (100 - percent)) / 100),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function expectReadable(chosen: string, ground: Ground) {
  const colors = accentColors(chosen, ground);
  const [page, ...others] = surfaces[ground];
  expect(contrast(colors.onAccent, colors.accent)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.onAccent, colors.accentHover)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.accent, page)).toBeGreaterThanOrEqual(3);
  for (const surface of [page, ...others, softGround(colors.accentSoft, others.at(-1) ?? page)])
    expect(contrast(colors.accentText, surface)).toBeGreaterThanOrEqual(4.5);
}

const hue = (hex: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  return (Math.atan2(Math.sqrt(3) * (green - blue), 2 * red - green - blue) * 180) / Math.PI;
};

describe("the accent", () => {
  describe.each(["dark", "light"] as const)("in the %s theme", (ground) => {
    test.each(["#0057E7", "#FFD400", "#000000", "#FFFFFF", "#777777"])(
      "%s has enough contrast on every surface",
      (color) => expectReadable(color, ground),
    );

    test("any color has enough contrast on every surface", () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) =>
          expectReadable(`#${value.toString(16).padStart(6, "0")}`, ground),
        ),
        { numRuns: 200 },
      );
    });
  });

  test("the light theme has its own colors, and a dark page gets only the dark ones", () => {
    const [dark, light, system] = (["dark", "light", "system"] as const).map((theme) =>
      accentStyle("#ffd400", theme),
    );
    expect(dark).not.toContain("data-theme");
    expect(light).toContain(
      `${dark}:root[data-theme="light"]{--accent:${accentColors("#ffd400", "light").accent}`,
    );
    const lightRule = light?.slice(dark?.length).replace('"light"', '"system"');
    expect(system).toBe(`${dark}@media(prefers-color-scheme:light){${lightRule}}`);
  });

  test("a color with enough contrast is not changed", () => {
    expect(accentColors("#0057E7").accent).toBe("#0057e7");
    expect(accentColors("#FFD400").accent).toBe("#ffd400");
  });

  test("lightened text keeps the hue", () => {
    for (const color of ["#0057e7", "#b00020", "#4b0082", "#006400"])
      expect(Math.abs(hue(accentColors(color).accentText) - hue(color))).toBeLessThan(25);
  });

  test("short and upper-case spellings are normalized; other text gives null", () => {
    expect(normalizeHex("#ABC")).toBe("#aabbcc");
    expect(normalizeHex("0057E7")).toBe("#0057e7");
    for (const text of ["", "#12", "#12345", "red", "#0057e7;}", "url(x)"])
      expect(normalizeHex(text)).toBeNull();
  });

  test("only colors reach the style element", () => {
    expect(accentStyle("</style><script>")).toBe(accentStyle("#0057e7"));
    expect(accentStyle("#ff0000")).toMatch(/^:root\{(--[a-z-]+:[#a-z0-9 ()/%.]+;?)+\}$/);
  });
});

test("the contrast of the accent is computed on the ground that the style sheet has", () => {
  const tokens = readFileSync("app/ui/styles/tokens.css", "utf8");
  expect(tokens).toContain(
    `--surface-0: var(--light, ${surfaces.light[0]}) var(--dark, ${surfaces.dark[0]});`,
  );
});
