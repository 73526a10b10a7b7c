/** Writes packets of silence in the codecs that segments hold unconverted. */

/** `seconds`: how long the packet lasts. */
export type Silence = { data: Uint8Array; seconds: number };
type Sound = Pick<AudioDecoderConfig, "codec" | "numberOfChannels" | "sampleRate" | "description">;

/** Whether `silenceOf` writes silence for this sound, as far as its codec and its channels tell. */
export const canBeSilent = (codec: string | null, channels: number): boolean =>
  codec === "mp4a.40.2" ? channels in aacElements : codec === "opus" || codec === "flac";

/** Null: the site cannot write silence in this codec. */
export function silenceOf({ codec, numberOfChannels, sampleRate, description }: Sound): Silence | null {
  const head = description ? bytesOf(description) : Buffer.alloc(0);
  if (codec === "mp4a.40.2") return silentAac(numberOfChannels, sampleRate);
  if (codec === "opus") return silentOpus(numberOfChannels, head);
  return codec === "flac" ? silentFlac(head, sampleRate) : null;
}

const bytesOf = (bytes: AllowSharedBufferSource): Buffer =>
  ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes as ArrayBuffer);

const bits = (value: number, length: number) => value.toString(2).padStart(length, "0");

function packed(text: string): Buffer {
  const bytes = text.match(/.{1,8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte.padEnd(8, "0"), 2)));
}

/** The elements of an AAC frame (ISO/IEC 14496-3, table 4.3) by the number of channels. */
const aacElements: Readonly<Record<number, readonly ("one" | "two" | "low")[]>> = {
  1: ["one"],
  2: ["two"],
  3: ["one", "two"],
  4: ["one", "two", "one"],
  5: ["one", "two", "two"],
  6: ["one", "two", "two", "low"],
  8: ["one", "two", "two", "two", "low"],
};
const aacIds = { one: 0, two: 1, low: 3 };

/** A channel with a gain of 0, one long window without any band, and no tools. */
const aacChannel = bits(0, 8 + 11 + 3);

function silentAac(channels: number, sampleRate: number): Silence | null {
  const elements = aacElements[channels];
  if (!elements) return null;
  const counts = { one: 0, two: 0, low: 0 };
  const written = elements.map((kind) => {
    const head = bits(aacIds[kind], 3) + bits(counts[kind]++, 4);
    return kind === "two" ? `${head}0${aacChannel}${aacChannel}` : head + aacChannel;
  });
  return { data: packed(`${written.join("")}111`), seconds: 1024 / sampleRate };
}

const opusSilence = "fffe";
/** 20 ms in one frame of CELT (RFC 6716, 3.1), for two channels and for one. */
const opusHeads = { two: "fc", one: "f8" };

/** More than two channels consist of several streams, and all but the last state their length (RFC 6716, appendix B). */
function silentOpus(channels: number, head: Buffer): Silence | null {
  const isMapped = channels > 2 && head.length >= 21;
  if (channels > 2 && !isMapped) return null;
  const [streams, pairs] = isMapped ? [head[19] ?? 0, head[20] ?? 0] : [1, channels - 1];
  const written = Array.from({ length: streams }, (_, index) => {
    const length = index < streams - 1 ? "02" : "";
    return (index < pairs ? opusHeads.two : opusHeads.one) + length + opusSilence;
  });
  return { data: Buffer.from(written.join(""), "hex"), seconds: 0.02 };
}

/** A frame with a constant for each channel (RFC 9639, 9). STREAMINFO follows `fLaC` and the head of its block (8.2). */
function silentFlac(description: Buffer, sampleRate: number): Silence | null {
  const info = description.subarray(8);
  if (info.length < 34) return null;
  const samples = info.readUInt16BE(2);
  const channels = (((info[12] ?? 0) >> 1) & 7) + 1;
  const sampleBits = ((((info[12] ?? 0) & 1) << 4) | ((info[13] ?? 0) >> 4)) + 1;
  if (samples === 0) return null;
  // The frame's size follows in 16 bits; the rate and the sample size are those of the stream; the frame's number is 0.
  const head = packed(
    `1111111111111000${bits(7, 4)}0000${bits(channels - 1, 4)}0000${bits(0, 8)}${bits(samples - 1, 16)}`,
  );
  const frame = Buffer.concat([
    head,
    Buffer.from([checksum(head, 8, 0x07)]),
    packed((bits(0, 8) + bits(0, sampleBits)).repeat(channels)),
  ]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(checksum(frame, 16, 0x8005));
  return { data: Buffer.concat([frame, end]), seconds: samples / sampleRate };
}

/** A cyclic redundancy check of `width` bits. */
function checksum(bytes: Uint8Array, width: 8 | 16, polynomial: number): number {
  const top = 1 << (width - 1);
  const mask = (1 << width) - 1;
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ ((sum & top) === 0 ? 0 : polynomial)) & mask;
  }
  return sum;
}
