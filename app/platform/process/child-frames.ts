/** The messages between this process and its child processes. */

/** A frame, in both directions: two lengths, the header as JSON, the bytes. */
export function encodeFrame(header: object, bytes: Uint8Array): Buffer[] {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(bytes.length, 4);
  return [lengths, json, bytes as Buffer];
}

/** Collects chunks and calls `onFrame` for every complete frame. */
export function frameReader<Header>(onFrame: (header: Header, bytes: Buffer) => void) {
  let chunks: Buffer[] = [];
  let length = 0;
  let needed = 8;
  return (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    while (length >= needed) {
      const all = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
      const jsonEnd = 8 + all.readUInt32BE(0);
      needed = jsonEnd + all.readUInt32BE(4);
      chunks = [all];
      if (length < needed) return;
      onFrame(JSON.parse(all.toString("utf8", 8, jsonEnd)) as Header, all.subarray(jsonEnd, needed));
      const rest = all.subarray(needed);
      chunks = rest.length > 0 ? [rest] : [];
      length = rest.length;
      needed = 8;
    }
  };
}
