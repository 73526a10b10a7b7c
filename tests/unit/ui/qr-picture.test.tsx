import { renderToStaticMarkup } from "react-dom/server";
import sharp from "sharp";
import { expect, test } from "vitest";
import { qrCode } from "#app/routes/views/qr-code.server.ts";
import { QrPicture } from "#app/ui/qr-picture.tsx";

/** The drawing that another encoder makes of the same text. */
const engawa = [
  "111111101011101111111",
  "100000100010001000001",
  "101110100011001011101",
  "101110101100101011101",
  "101110101001101011101",
  "100000101010101000001",
  "111111101010101111111",
  "000000001000000000000",
  "100010111100111111001",
  "011110001110111001010",
  "100010110110110001110",
  "110010001101100100010",
  "101111101111001110001",
  "000000001011100001110",
  "111111101001001110110",
  "100000100000011010001",
  "101110101010111000001",
  "101110100100111010111",
  "101110100010110010000",
  "100000100001100000000",
  "111111101001001101001",
];

async function pixelRows(svg: string): Promise<string[]> {
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(29)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.height }, (_, y) =>
    Array.from({ length: info.width }, (_, x) => ((data[y * info.width + x] ?? 0) < 128 ? "1" : "0")).join(
      "",
    ),
  );
}

test("the picture has the modules of the code inside a light border of four", async () => {
  const code = qrCode("engawa");
  if (!code) throw new Error("no code");
  const svg = renderToStaticMarkup(<QrPicture {...code} label="QR code" />);
  const light = Array.from({ length: 4 }, () => "0".repeat(29));
  const rows = await pixelRows(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" '));
  expect(rows).toEqual([...light, ...engawa.map((row) => `0000${row}0000`), ...light]);
});

test("a text too long to be read from the page has no picture", () => {
  expect(qrCode("x".repeat(180))?.rows).toBe(53);
  expect(qrCode("x".repeat(181))).toBeNull();
});
