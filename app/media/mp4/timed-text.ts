import { utf16Of } from "../film/utf16-mark.ts";
import { boxesOf } from "./boxes.ts";

/** Reads the text in samples of MP4: 3GPP timed text (3GPP TS 26.245) and WebVTT (ISO/IEC 14496-30). */

export const maxTextBytes = 65_536;

/** The text after its length, in UTF-8, or in UTF-16 with a byte order mark. */
export function readPlainText(sample: Uint8Array): string {
  const text = sample.subarray(2, 2 + lengthOf(sample));
  return new TextDecoder(utf16Of(text) ?? "utf-8").decode(text);
}

const lengthOf = (sample: Uint8Array) => 256 * (sample[0] ?? 0) + (sample[1] ?? 0);

/** The bits of bold, italic and underlined text, and the tags of SubRip for them. */
const faces = [
  [1, "b"],
  [2, "i"],
  [4, "u"],
] as const;
const maxStyles = 500;

/** The text with its styles, as a line of SubRip. */
export function readStyledText(sample: Uint8Array): string {
  const characters = [...readPlainText(sample).replace(/\r\n?/g, "\n")];
  const tags = new Map<number, string>();
  for (const { from, to, face } of stylesOf(sample))
    for (const [bit, name] of faces)
      if ((face & bit) !== 0 && from < to && to <= characters.length) {
        tags.set(from, `${tags.get(from) ?? ""}<${name}>`);
        tags.set(to, `</${name}>${tags.get(to) ?? ""}`);
      }
  return [...characters, ""].map((character, at) => (tags.get(at) ?? "") + character).join("");
}

function* stylesOf(sample: Uint8Array) {
  const styles = [...boxesOf(sample, 2 + lengthOf(sample))].find(({ type }) => type === "styl")?.content;
  if (!styles) return;
  const bytes = Buffer.from(styles);
  const headLength = 2;
  const entryLength = 12;
  for (let at = headLength, count = 0; at + entryLength <= bytes.length && count < maxStyles; count++) {
    yield { from: bytes.readUInt16BE(at), to: bytes.readUInt16BE(at + 2), face: bytes[at + 6] ?? 0 };
    at += entryLength;
  }
}

/** The texts of the cues that are shown during this sample. */
export const readVttCues = (sample: Uint8Array): string[] =>
  [...boxesOf(sample)]
    .filter(({ type }) => type === "vttc")
    .flatMap(({ content }) => {
      const text = [...boxesOf(content)].find(({ type }) => type === "payl")?.content;
      return text ? new TextDecoder().decode(text) : [];
    });
