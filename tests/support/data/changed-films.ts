import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { discSubtitles } from "#tests/support/data/bitmap-subtitles.ts";
import { type Command, encodedOnce } from "#tests/support/data/encoded-once.ts";
import { toneExpression } from "#tests/support/data/made-films.ts";
import { withoutHeaders } from "#tests/support/data/removed-headers.ts";

/** Changes a made film as programs, discs and accidents do, or lays other files beside it. */

type Change = (file: string) => void;

const besideOf = (file: string, ending: string) => file.replace(/\.[^.]+$/, ending);

export const beside =
  (ending: string, content: string | Uint8Array): Change =>
  (file) =>
    writeFileSync(besideOf(file, ending), content);

/** mkvmerge puts more tracks into the film. */
export const merged =
  (...options: string[]): Change =>
  (file) => {
    const other = besideOf(file, ".merged");
    execFileSync("mkvmerge", ["-q", "-o", other, file, ...options]);
    renameSync(other, file);
  };

/** Writes the subtitles of a disc to a file beside the film for the time of `use`. */
function withDisc(file: string, use: (sup: string) => void) {
  const sup = besideOf(file, ".disc.sup");
  writeFileSync(sup, discSubtitles());
  use(sup);
  rmSync(sup);
}

/** ffmpeg writes the subtitles of a disc as those of a DVD. */
function toDvd(sup: string, use: (mkv: string) => void) {
  const mkv = besideOf(sup, ".dvd");
  execFileSync("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-copyts",
    "-i",
    sup,
    "-c:s",
    "dvdsub",
    "-f",
    "matroska",
    mkv,
  ]);
  use(mkv);
  rmSync(mkv);
}

export const withPgs: Change = (file) => withDisc(file, (sup) => merged("--language", "0:en", sup)(file));
export const withVobSub: Change = (file) =>
  withDisc(file, (sup) => toDvd(sup, (mkv) => merged("--language", "0:en", mkv)(file)));
export const besidePgs: Change = (file) => writeFileSync(besideOf(file, ".en.sup"), discSubtitles());
export const besideVobSub: Change = (file) =>
  withDisc(file, (sup) =>
    toDvd(sup, (mkv) => execFileSync("mkvextract", [mkv, "tracks", `0:${besideOf(file, ".en.idx")}`])),
  );
/** The second track of the film, in AC-3, loses the bytes with which each of its packets begins. */
export const withoutSoundHeaders: Change = (file) =>
  writeFileSync(file, withoutHeaders(readFileSync(file), 2, Buffer.from("0b77", "hex")));
/** A sound file beside the film, with the tone of this number. */
export const besideSound =
  (ending: string, sound: number, ...codec: string[]): Change =>
  (file) => {
    const result = `sound.${ending.split(".").at(-1)}`;
    const source = `aevalsrc=exprs='${toneExpression(sound, 0)}':s=48000:d=30`;
    const command: Command = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, ...codec, result];
    copyFileSync(encodedOnce({ commands: [command], result }), besideOf(file, ending));
  };

/** The head of a Matroska file says that the film has this many times its length. */
export const withLength =
  (factor: number): Change =>
  (file) => {
    const bytes = readFileSync(file);
    const at = bytes.indexOf(Buffer.from("4489", "hex")) + 2;
    // The length of the number follows, which has 4 or 8 bytes.
    if (bytes[at] === 0x84) bytes.writeFloatBE(bytes.readFloatBE(at + 1) * factor, at + 1);
    else if (bytes[at] === 0x88) bytes.writeDoubleBE(bytes.readDoubleBE(at + 1) * factor, at + 1);
    else throw new Error("the film gives no length");
    writeFileSync(file, bytes);
  };

/** A part of the file is overwritten with zeros. Both numbers are shares of its bytes. */
export const withHole =
  (from: number, to: number): Change =>
  (file) => {
    const bytes = readFileSync(file);
    bytes.fill(0, Math.floor(from * bytes.length), Math.floor(to * bytes.length));
    writeFileSync(file, bytes);
  };

export const emptied: Change = (file) => truncateSync(file);
/** The file has other contents. */
export const replacedBy =
  (content: string | Uint8Array): Change =>
  (file) =>
    writeFileSync(file, content);
