/** Makes zstd streams (RFC 8878) without a compressor, which Node 20 does not have. */

const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const maxBlockBytes = 100_000;
const rawBlock = 0;
const runLengthBlock = 1;

const block = (type: number, size: number, content: Buffer, isLast: boolean) => {
  const header = Buffer.alloc(3);
  header.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
  return Buffer.concat([header, content]);
};

/** The header of a frame. The exponent of the window is at least 10. */
const frameHead = (windowExponent: number) =>
  Buffer.concat([magic, Buffer.from([0, (windowExponent - 10) << 3])]);

/** A frame that stores the bytes uncompressed. */
export function storedAsZstd(
  bytes: Buffer,
  { windowExponent = 20, blockBytes = maxBlockBytes } = {},
): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += blockBytes) {
    const content = bytes.subarray(at, at + blockBytes);
    blocks.push(block(rawBlock, content.length, content, at + blockBytes >= bytes.length));
  }
  return Buffer.concat([frameHead(windowExponent), ...blocks]);
}

/** A frame that takes four bytes for each 100,000 bytes of output. */
export function zstdBomb(blocks: number, byte = 0x20): Buffer {
  const one = block(runLengthBlock, maxBlockBytes, Buffer.from([byte]), false);
  const last = block(runLengthBlock, 1, Buffer.from([byte]), true);
  return Buffer.concat([frameHead(20), ...new Array<Buffer>(blocks).fill(one), last]);
}
