import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accentColors, accentStyle, contrast, normalizeHex } from "#app/ui/accent.ts";

const surfaces = ["#0e0f13", "#16181d", "#1e2128"];

/** The color of `accentSoft` over the lightest surface. */
function softGround(soft: string): string {
  const [red, green, blue, percent] = (soft.match(/[\d.]+/g) ?? []).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const ground = [0x1e, 0x21, 0x28];
  const mixed = [red, green, blue].map((channel, index) =>
    Math.round((channel * percent + (ground[index] ?? 0) * (100 - percent)) / 100),
  );
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function expectReadable(chosen: string) {
  const colors = accentColors(chosen);
  expect(contrast(colors.onAccent, colors.accent)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.onAccent, colors.accentHover)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.accent, "#0e0f13")).toBeGreaterThanOrEqual(3);
  for (const surface of [...surfaces, softGround(colors.accentSoft)])
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
  test.each(["#0057E7", "#FFD400", "#000000", "#FFFFFF", "#777777"])(
    "%s has enough contrast on every surface",
    expectReadable,
  );

  test("any color has enough contrast on every surface", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) =>
        expectReadable(`#${value.toString(16).padStart(6, "0")}`),
      ),
      { numRuns: 200 },
    );
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
