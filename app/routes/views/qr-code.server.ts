import { correction, generate } from "lean-qr";
import { toSvgPath } from "lean-qr/extras/svg";

/** A longer text needs more than 53 rows, and cameras cannot read so many at the picture's size on the page. */
const maxBytes = 180;

/** The dark modules as an SVG path of squares with sides of 1, and the number of rows. Null if the text is too long. */
export function qrCode(text: string): { path: string; rows: number } | null {
  if (Buffer.byteLength(text) > maxBytes) return null;
  const code = generate(text, {
    minCorrectionLevel: correction.M,
    maxCorrectionLevel: correction.M,
  });
  return {
    path: toSvgPath(code),
    rows: code.size,
  };
}
