/** Packs the lines of a film's subtitle track. */

export type BlockLine = {
  startMs: number;
  /** Null: the film does not state the duration. */
  durationMs: number | null;
  /** The text, or the bytes of a picture. */
  text: Uint8Array;
  /** Where and how WebVTT shows the line. */
  settings?: Uint8Array;
};

const headBytes = 24;

/** Writes each line as its start, its duration (or -1), the lengths of its settings and text, its settings and its text. */
export function packLines(lines: readonly BlockLine[]): Buffer {
  return Buffer.concat(
    lines.flatMap(({ startMs, durationMs, text, settings = new Uint8Array() }) => {
      const head = Buffer.alloc(headBytes);
      head.writeDoubleLE(startMs, 0);
      head.writeDoubleLE(durationMs ?? -1, 8);
      head.writeUInt32LE(settings.length, 16);
      head.writeUInt32LE(text.length, 20);
      return [head, settings, text];
    }),
  );
}

export function* unpackLines(packed: Uint8Array): Generator<Required<BlockLine>> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const startMs = bytes.readDoubleLE(at);
    const durationMs = bytes.readDoubleLE(at + 8);
    const textAt = at + headBytes + bytes.readUInt32LE(at + 16);
    const end = textAt + bytes.readUInt32LE(at + 20);
    yield {
      startMs,
      durationMs: durationMs < 0 ? null : durationMs,
      settings: bytes.subarray(at + headBytes, textAt),
      text: bytes.subarray(textAt, end),
    };
    at = end;
  }
}
