/** Error correction of QR codes: Reed-Solomon over GF(2^8) with the polynomial 0x11d (ISO/IEC 18004, section 7.5). */

function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The coefficients of the generator polynomial, without the leading 1. */
function generatorOf(degree: number): number[] {
  const generator = [...Array(degree - 1).fill(0), 1] as number[];
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let at = 0; at < degree; at++)
      generator[at] = multiply(generator[at] ?? 0, root) ^ (generator[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return generator;
}

/** The `count` codewords that follow the data in its block. */
export function errorCorrectionOf(data: readonly number[], count: number): number[] {
  const generator = generatorOf(count);
  const remainder = Array(count).fill(0) as number[];
  for (const byte of data) {
    const factor = byte ^ (remainder.shift() ?? 0);
    remainder.push(0);
    for (let at = 0; at < count; at++)
      remainder[at] = (remainder[at] ?? 0) ^ multiply(generator[at] ?? 0, factor);
  }
  return remainder;
}
