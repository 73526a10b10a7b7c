import { DamagedFilm } from "../film/film-bytes.ts";

/** Reads ADTS (ISO/IEC 14496-3, 1.A.2), the stream in which converters write AAC. */

const minHeadLength = 7;

/** Collects chunks and calls `onFrame` for every complete frame, without its head. */
export function adtsReader(onFrame: (data: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (at + minHeadLength <= bytes.length) {
      if ((bytes.readUInt16BE(at) & 0xfff6) !== 0xfff0)
        throw new DamagedFilm("the converted sound is no AAC");
      // The frame's length has 13 bits, from bit 30 on.
      const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
      const headLength = (bytes[at + 1] ?? 0) & 1 ? minHeadLength : minHeadLength + 2;
      if (length <= headLength) throw new DamagedFilm("a frame of the converted sound is empty");
      if (at + length > bytes.length) break;
      onFrame(bytes.subarray(at + headLength, at + length));
      at += length;
    }
    rest = bytes.subarray(at);
  };
}
