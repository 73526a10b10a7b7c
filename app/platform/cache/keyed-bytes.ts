/** Bytes with what is known of them and the key they belong to, as one run of bytes. */
export function packKeyedBytes(key: string, header: object, bytes: Buffer): Buffer {
  const head = Buffer.from(JSON.stringify({ key, header }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, bytes]);
}

/** Throws on anything but what `pack` made for this very key. */
export function unpackKeyedBytes<Header>(packed: Buffer, key: string): { header: Header; bytes: Buffer } {
  const end = 4 + packed.readUInt32BE(0);
  const head = JSON.parse(packed.toString("utf8", 4, end)) as { key: string; header: Header };
  if (head.key !== key) throw new Error("packed under another key");
  return { header: head.header, bytes: packed.subarray(end) };
}
