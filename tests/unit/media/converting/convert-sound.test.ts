import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { convertSound } from "#app/media/converting/convert-sound.ts";
import { openMatroska } from "#app/media/matroska/matroska-file.ts";
import { encodedOnce } from "#tests/support/data/encoded-once.ts";
import { withoutHeaders } from "#tests/support/data/removed-headers.ts";

const source = "aevalsrc=exprs='0.3*sin(2*PI*t*(300+200*t))':s=48000:d=3";

test.each(["ac3", "eac3"])(
  "%s sounds the same with removed headers, several packets in a block",
  async (codec) => {
    const film = readFileSync(
      encodedOnce({
        commands: [["ffmpeg", "-v", "error", "-f", "lavfi", "-i", source, "-c:a", codec, "sound.mkv"]],
        result: "sound.mkv",
      }),
    );
    const [whole, stripped] = await Promise.all(
      [film, withoutHeaders(film, 1, Buffer.from("0b77", "hex"))].map(converted),
    );
    expect(whole?.length).toBeGreaterThan(10_000);
    expect(stripped?.equals(whole ?? Buffer.alloc(0))).toBe(true);
  },
);

async function converted(written: Buffer): Promise<Buffer> {
  const bytes = Uint8Array.from(written);
  const film = {
    size: bytes.length,
    read: (at: number, length: number) => bytes.subarray(at, at + length),
  };
  const parts: Uint8Array[] = [];
  const job = {
    film: { file: "", id: "", size: 0, modifiedMs: 0 },
    track: 1,
    at: openMatroska(film)?.firstCluster ?? 0,
    channels: 1,
    from: 0,
    to: 48_000 * 2,
  };
  await convertSound(film, job, async (part) => void parts.push(Uint8Array.from(part)));
  return Buffer.concat(parts);
}
