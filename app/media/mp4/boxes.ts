/** Writes the boxes of ISO base media files (ISO/IEC 14496-12), and finds them in bytes that are in memory. */

/** Yields the boxes from byte `from` on that follow each other, up to one that is damaged or not whole. */
export function* boxesOf(bytes: Uint8Array, from = 0): Generator<{ type: string; content: Uint8Array }> {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at + 8 <= view.length; ) {
    const size = view.readUInt32BE(at);
    if (size < 8 || at + size > view.length) return;
    yield { type: view.toString("latin1", at + 4, at + 8), content: bytes.subarray(at + 8, at + size) };
    at += size;
  }
}

export function box(type: string, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(8 + content.length), Buffer.from(type), content]);
}

/** A box with version 0 and flags. */
export const fullBox = (type: string, flags: number, ...parts: Uint8Array[]) =>
  box(type, u32(flags), ...parts);

export const zeros = (length: number) => Buffer.alloc(length);

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
