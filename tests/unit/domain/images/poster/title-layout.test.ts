import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFontMetrics } from "#app/domain/images/poster/font-metrics.ts";
import { posterView } from "#app/domain/images/poster/poster-view.ts";
import {
  drawableName,
  layOutColumn,
  layOutText,
  splitTitle,
} from "#app/domain/images/poster/title-layout.ts";

const { measure, hasGlyph } = readFontMetrics(readFileSync("public/fonts/MPLUS1p-ExtraBold.ttf"));
const box = { widthPx: 360, heightPx: 200, largestPx: 72, smallestPx: 16, leading: 1.1, tracking: -0.02 };
const without = (text: string) => text.replace(/\s+/gu, "");

test("a kanji is one em wide in the font's widths, and narrow letters are less", () => {
  expect(measure("漢字")).toBe(2);
  expect(measure("i")).toBeLessThan(measure("m") / 2);
  expect(measure("Ωж☆")).toBeGreaterThan(2);
});

describe("layOutText", () => {
  const word = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABC-':!"), minLength: 1, maxLength: 14 }),
    fc.string({ unit: fc.constantFrom(..."アニメの魔法少女ーッ、。"), minLength: 1, maxLength: 20 }),
  );
  const title = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(" "));

  test("a title fits its box and loses only the spaces at line ends", () => {
    fc.assert(
      fc.property(title, (text) => {
        const { lines, sizePx } = layOutText(text, box, measure);
        for (const line of lines) {
          const width = (measure(line) + [...line].length * box.tracking) * sizePx;
          expect(width).toBeLessThanOrEqual(box.widthPx + sizePx);
        }
        expect(lines.length * sizePx * box.leading).toBeLessThanOrEqual(box.heightPx);
        const whole = without(lines.join(""));
        if (whole.endsWith("…")) expect(without(text).startsWith(whole.slice(0, -1))).toBe(true);
        else expect(whole).toBe(without(text));
      }),
    );
  });

  test("a short title has the largest size, and a long one has lines of similar width", () => {
    expect(layOutText("K", box, measure)).toEqual({ lines: ["K"], sizePx: 72 });
    expect(layOutText("Fullmetal Alchemist", box, measure).lines).toEqual(["Fullmetal", "Alchemist"]);
    const { lines } = layOutText("Shinseiki no Nantoka wo Sagasu Nagai Tabi no Hajimari", box, measure);
    const widths = lines.map(measure);
    expect(Math.min(...widths)).toBeGreaterThan(Math.max(...widths) * 0.5);
  });

  test("a line never begins with Japanese punctuation that belongs to the previous line", () => {
    fc.assert(
      fc.property(title, (text) => {
        for (const line of layOutText(text, box, measure).lines.slice(1)) {
          const fromText = text.split(/\s+/).some((one) => one.startsWith(line.slice(0, 1)));
          if (!fromText) expect(line).not.toMatch(/^[、。]/u);
        }
      }),
    );
  });
});

test("a title with a colon or dash is split into its main part and the rest", () => {
  expect(splitTitle("Fullmetal Alchemist: Brotherhood")).toEqual({
    main: "Fullmetal Alchemist",
    rest: "Brotherhood",
  });
  expect(splitTitle("Re:Zero kara")).toEqual({ main: "Re:Zero kara", rest: "" });
  expect(splitTitle("K: Return")).toEqual({ main: "K: Return", rest: "" });
  expect(splitTitle("Haiyore! ~Nyaruko-san~")).toEqual({ main: "Haiyore!", rest: "Nyaruko-san" });
  expect(splitTitle("a\u200b\u0007  b")).toEqual({ main: "a b", rest: "" });
});

test("a name of a million letters is cut off before it is broken into lines", () => {
  for (const text of ["x".repeat(1_000_000), "アニメ".repeat(300_000), "a b ".repeat(300_000)]) {
    const { main, rest } = splitTitle(text);
    expect(main.length + rest.length).toBeLessThanOrEqual(500);
    expect(layOutText(main, box, measure).lines.join("").length).toBeGreaterThan(0);
  }
});

test("a name with letters that the font lacks gives way to the next, and signs that it lacks are dropped", () => {
  expect(drawableName(["宝狩猎人", "Bao Shou Lieren"], hasGlyph)).toBe("Bao Shou Lieren");
  expect(drawableName(["뽀로로", null], hasGlyph)).toBe("");
  expect(drawableName(["🍙", "Onigiri"], hasGlyph)).toBe("Onigiri");
  expect(drawableName(["Onigiri\u200b 🍙\uFE0F!\n", null], hasGlyph)).toBe("Onigiri !");
  expect(drawableName(["Cafe\u0301"], hasGlyph)).toBe("Café");
});

test("no name of the starter catalog has a character on its poster that the font lacks", () => {
  const files = readdirSync("db/starter-catalog").filter((file) => file.startsWith("titles-"));
  const titles = files.flatMap((file) =>
    readFileSync(`db/starter-catalog/${file}`, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  expect(titles.length).toBeGreaterThan(400);
  for (const { title, title_english, title_japanese } of titles) {
    const name = drawableName([title], hasGlyph);
    const { main, rest } = splitTitle(name);
    const english = drawableName([title_english], hasGlyph);
    const column = layOutColumn(drawableName([title_japanese], hasGlyph), 300, 28, 1)?.lines ?? [];
    const drawn = [main, rest, english, ...column].join("").replace(/\s/gu, "");
    expect(
      [...drawn].filter((character) => !hasGlyph(character)),
      title,
    ).toEqual([]);
    expect(name, title).not.toBe("");
  }
});

test("a Japanese title is set as a column if it fits", () => {
  expect(layOutColumn("スーパー", 300, 20, 12)).toEqual({ lines: ["ス", "ー", "パ", "ー"], sizePx: 20 });
  expect(layOutColumn("あ".repeat(20), 300, 20, 12)?.sizePx).toBeCloseTo(300 / 21.6);
  expect(layOutColumn("あ".repeat(40), 300, 20, 12)).toBeNull();
  expect(layOutColumn("K", 300, 20, 12)).toBeNull();
  expect(layOutColumn("とある X", 300, 20, 12)).toBeNull();
});

/** One for each scene that themes and genres lead to. */
const tags = [
  "Space",
  "Mecha",
  "Racing",
  "Sports",
  "Mahou Shoujo",
  "Music",
  "Gourmet",
  "Samurai",
  "Horror",
  "Video Game",
  "Psychological",
  "Mystery",
  "Isekai",
  "Pets",
  "School",
  "Comedy",
  "Nothing that is known",
];

describe("posterView", () => {
  const alone = (id: number) => posterView({ id, franchise: null, part: 1, tags: [] }).svg(400, 0.5);

  test("the same id always gets the same picture, and other ids get others", () => {
    const drawn = Array.from({ length: 300 }, (_, id) => alone(id + 1));
    expect(alone(7)).toBe(drawn[6]);
    expect(new Set(drawn).size).toBe(300);
  });

  test("the SVG for any id contains only valid numbers", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.constantFrom(...tags), (id, tag) => {
        const svg = posterView({ id, franchise: id % 2 ? id : null, part: id % 7, tags: [tag] }).svg(
          400,
          0.5,
        );
        expect(svg).not.toMatch(/NaN|undefined|Infinity/);
        expect(svg).toMatch(/^<svg [^>]*width="400" height="571"/);
      }),
      { numRuns: 100 },
    );
  });

  test("themes and genres choose the scene, and the parts of a franchise share it, each in its own drawing", () => {
    const hasPlanet = (svg: string) => svg.includes('id="planet"');
    const draw = (franchise: number | null, part: number, tags: string[]) =>
      posterView({ id: 1000 * (franchise ?? 7) + part, franchise, part, tags });
    expect(hasPlanet(draw(null, 1, ["Comedy", "Space"]).svg(400, 0.5))).toBe(true);
    expect(hasPlanet(draw(null, 1, ["Comedy", "School"]).svg(400, 0.5))).toBe(false);
    const scenes = Array.from({ length: 40 }, (_, index) => {
      const parts = [1, 2, 3, 4, 5].map((part) => draw(index + 1, part, ["Sci-Fi"]));
      const drawn = parts.map(({ svg }) => svg(400, 0.5));
      expect(new Set(drawn).size).toBe(5);
      expect(new Set(drawn.map(hasPlanet)).size).toBe(1);
      expect(new Set(parts.map(({ palette }) => palette.accent)).size).toBe(1);
      return drawn.some(hasPlanet);
    });
    expect(new Set(scenes)).toEqual(new Set([true, false]));
  });
});
