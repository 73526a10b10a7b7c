import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { qrModules, qrPath } from "#app/platform/qr/qr-code.ts";
import { errorCorrectionOf } from "#app/platform/qr/reed-solomon.ts";

/** The drawings are those of another encoder for the same texts. */

const rowsOf = (text: string) => qrModules(text)?.map((row) => row.map(Number).join("")) ?? [];

test("error correction is that of the example in ISO/IEC 18004, annex I", () => {
  const data = [
    0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11,
  ];
  const expected = [0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55];
  expect(errorCorrectionOf(data, 10)).toEqual(expected);
});

test("a short text is drawn as version 1", () => {
  expect(rowsOf("engawa")).toEqual([
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
  ]);
});

test.each([
  [100, 41, "57004a2bb35957246a073ef9a2af820364ea0c68f35d4dbb79b48b892f5e4fd7"],
  [160, 53, "23a8025630f4c20343ad1e11bd5361c2fc287c29dbd336c3d3516d30e7d77531"],
])(
  "a text of %i bytes is drawn in %i rows, with alignment patterns, version and several blocks",
  (length, size, digest) => {
    const rows = rowsOf("x".repeat(length));
    expect(rows).toHaveLength(size);
    expect(createHash("sha256").update(rows.join("\n")).digest("hex")).toBe(digest);
  },
);

test("a text that has no room in version 9 has no picture", () => {
  expect(qrModules("x".repeat(180))).toHaveLength(53);
  expect(qrModules("x".repeat(181))).toBeNull();
  expect(qrPath("x".repeat(181))).toBeNull();
});

test("the path has a square for each dark module, inside a border of four", () => {
  const dark = rowsOf("engawa").join("").replaceAll("0", "").length;
  const drawn = qrPath("engawa");
  expect(drawn?.size).toBe(29);
  expect(drawn?.path.match(/M/g)).toHaveLength(dark);
  expect(drawn?.path.startsWith("M4 4h1v1h-1z")).toBe(true);
});
