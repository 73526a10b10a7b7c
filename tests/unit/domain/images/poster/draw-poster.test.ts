import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPoster } from "#app/domain/images/poster/draw-poster.ts";

async function drawn(japanese: string | null) {
  const facts = { id: 7, title: "Lamp", japanese, note: "TV · 1999", franchise: null, part: 1, tags: [] };
  const poster = await drawPoster(facts, 400, "jpeg");
  if (!poster.ok) throw new Error("the poster was not drawn");
  return sharp(poster.bytes);
}

test("a vertical title is white, and its shadow does not lighten the picture beside it", async () => {
  const brightness = async (japanese: string | null, left: number, width: number) => {
    const area = { left, top: 140, width, height: 50 };
    return (await sharp(await (await drawn(japanese)).extract(area).greyscale().toBuffer()).stats())
      .channels[0];
  };
  const [text, shadow] = [[356, 18] as const, [350, 5] as const];
  expect((await brightness("ランプ", ...text))?.max).toBeGreaterThan(230);
  const [shaded, plain] = [await brightness("ランプ", ...shadow), await brightness(null, ...shadow)];
  expect(shaded?.mean).toBeLessThan((plain?.mean ?? 0) + 2);
});

test("the column has the font's vertical forms: a long vowel mark is a narrow bar", async () => {
  const whiteWidth = async (japanese: string) => {
    const area = { left: 350, top: 136, width: 34, height: 50 };
    const { data, info } = await (await drawn(japanese))
      .extract(area)
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const isWhite = (column: number) =>
      data.some((value, at) => at % (info.width * info.channels) === column * info.channels && value > 220);
    return Array.from({ length: info.width }, (_, column) => column).filter(isWhite).length;
  };
  expect(await whiteWidth("ココ")).toBeGreaterThan(12);
  expect(await whiteWidth("ーー")).toBeLessThan(6);
});
