/** Writes the boxes of ISO base media files (ISO/IEC 14496-12). */

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
