import sharp from "sharp";
import { expect, test } from "vitest";
import { drawPoster } from "#app/domain/images/poster/draw-poster.ts";

async function drawn(japanese: string | null) {
  const facts = { id: 7, title: "Lamp", japanese, note: "TV · 1999" };
  const poster = await drawPoster(facts, 400, "jpeg");
  if (!poster.ok) throw new Error("the poster was not drawn");
  return sharp(poster.bytes);
}

test("a vertical title is white, and its shadow does not lighten the picture beside it", async () => {
  const brightness = async (japanese: string | null, left: number, width: number) => {
    const area = { left, top: 84, width, height: 50 };
    return (await sharp(await (await drawn(japanese)).extract(area).greyscale().toBuffer()).stats())
      .channels[0];
  };
  const [text, shadow] = [[356, 18] as const, [350, 5] as const];
  expect((await brightness("ランプ", ...text))?.max).toBeGreaterThan(230);
  const [shaded, plain] = [await brightness("ランプ", ...shadow), await brightness(null, ...shadow)];
  expect(shaded?.mean).toBeLessThan((plain?.mean ?? 0) + 2);
});
