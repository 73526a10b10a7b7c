import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { encodeFrameLine, openFrames } from "#app/domain/backup/backup-format.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const payload = randomBytes(5000);
const whole = gzipSync(
  Buffer.concat([
    encodeFrameLine({ kind: "picture", cid: "cid", bytes: payload.length }),
    payload,
    encodeFrameLine({ kind: "end", rows: {}, pictures: 1 }),
  ]),
);

function open(bytes: Buffer) {
  const folder = temporaryFolder("backup");
  writeFileSync(join(folder, "backup.gz"), bytes);
  return openFrames(join(folder, "backup.gz"));
}

test("reading a complete backup returns its frames with their bytes", async () => {
  const { frames } = await open(whole);
  const first = await frames.next();
  expect(first.value).toMatchObject({ frame: { kind: "picture" }, payload });
  expect((await frames.next()).value).toMatchObject({ frame: { kind: "end" } });
});

test.each([1000, 4])(
  "reading a backup that is cut off after %i bytes throws, also when the reader starts after the end of the file",
  async (length) => {
    const { frames } = await open(whole.subarray(0, length));
    await wait(100);
    await expect(frames.next()).rejects.toThrow("The backup is incomplete: the file ends too early");
  },
);
