/** Joins the key, a header and the bytes into one buffer, so that a cache can store them as one value. */
export function packKeyedBytes(key: string, header: object, bytes: Buffer): Buffer {
  const head = Buffer.from(JSON.stringify({ key, header }));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  return Buffer.concat([length, head, bytes]);
}

/** Throws if the buffer is damaged, or if `packKeyedBytes` made it for another key. */
export function unpackKeyedBytes<Header>(packed: Buffer, key: string): { header: Header; bytes: Buffer } {
  const end = 4 + packed.readUInt32BE(0);
  const head = JSON.parse(packed.toString("utf8", 4, end)) as { key: string; header: Header };
  if (head.key !== key) throw new Error("packed for another key");
  return { header: head.header, bytes: packed.subarray(end) };
}
