/** The messages between this process and its child processes. */

/** A frame, in both directions: two lengths, the header as JSON, the bytes. */
export function encodeFrame(header: object, bytes: Uint8Array): Buffer[] {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(bytes.length, 4);
  return [lengths, json, bytes as Buffer];
}

/**
 * Collects chunks and calls `onFrame` for every complete frame. Its bytes come in the chunks in which they arrived, and
 * `wholeOf` copies them at most once.
 */
export function frameReader<Header>(onFrame: (header: Header, chunks: Buffer[]) => void) {
  const waiting: Buffer[] = [];
  let length = 0;
  let lengths: { json: number; bytes: number } | null = null;
  const take = (count: number): Buffer[] => {
    const taken: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      const chunk = waiting.shift();
      if (!chunk) break;
      if (chunk.length > missing) waiting.unshift(chunk.subarray(missing));
      taken.push(chunk.subarray(0, missing));
      missing -= Math.min(missing, chunk.length);
    }
    length -= count;
    return taken;
  };
  return (chunk: Buffer) => {
    waiting.push(chunk);
    length += chunk.length;
    for (;;) {
      if (!lengths) {
        if (length < 8) return;
        const head = wholeOf(take(8));
        lengths = { json: head.readUInt32BE(0), bytes: head.readUInt32BE(4) };
      }
      if (length < lengths.json + lengths.bytes) return;
      const json = wholeOf(take(lengths.json)).toString();
      const bytes = take(lengths.bytes);
      lengths = null;
      onFrame(JSON.parse(json) as Header, bytes);
    }
  };
}

/** The chunks as one Buffer. One chunk alone is not copied. */
export const wholeOf = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
