import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { tool as backup } from "#app/cli/backup.ts";
import { tool as restore } from "#app/cli/restore.ts";
import { createAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** The checksum in a backup's last line stays valid when the file is compressed again. */

const folder = temporaryFolder("checksums");
let content: Buffer;

beforeAll(async () => {
  await createAccount({ email: "summed@example.org", username: "Summed", password: goodPassword });
  const whole = join(folder, "whole.gz");
  expect(await runToolInProcess(backup, [whole])).toMatchObject({ code: 0 });
  content = gunzipSync(readFileSync(whole));
});

function pack(bytes: Buffer) {
  const file = join(folder, "packed-again.gz");
  writeFileSync(file, gzipSync(bytes));
  return file;
}

test("a backup compressed again with unchanged content passes its checksum", async () => {
  const verified = await runToolInProcess(backup, ["--verify", pack(content), "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ hasChecksum: true });
});

test("a backup damaged and compressed again fails --verify and the restore, wherever the damage is", async () => {
  const endLine = content.lastIndexOf('{"kind":"end"');
  const email = content.indexOf("summed@example.org");
  // A letter of a name, the head, and places throughout the rows. Flipping the lowest bit keeps most lines readable.
  const places = [
    email,
    60,
    ...Array.from({ length: 30 }, (_, part) => Math.floor((endLine * (part + 1)) / 31)),
  ];
  for (const place of places) {
    const damaged = Buffer.from(content);
    damaged.writeUInt8(damaged.readUInt8(place) ^ 1, place);
    const file = pack(damaged);
    const ran = await runToolInProcess(backup, ["--verify", file]);
    expect([place, ran.code, ran.stderr.trim().split("\n").length]).toEqual([place, 1, 1]);
  }
  const renamed = Buffer.from(content);
  renamed.write("t", email);
  for (const words of [
    ["--verify", pack(renamed)],
    [pack(renamed), "--replace"],
  ])
    expect(await runToolInProcess(words[0] === "--verify" ? backup : restore, words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("its content does not match its checksum"),
    });
});

test("an older version's backup without a checksum verifies with a remark and restores", async () => {
  const older = Buffer.from(content.toString("latin1").replace(/,"sha256":"\w+"/, ""), "latin1");
  expect(older.length).toBeLessThan(content.length);
  const verified = await runToolInProcess(backup, ["--verify", pack(older)]);
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("without a checksum of its content"),
  });
  expect((await runToolInProcess(backup, ["--verify", pack(content)])).stdout).not.toContain(
    "without a checksum",
  );
  expect(await runToolInProcess(restore, [pack(older), "--replace"])).toMatchObject({ code: 0 });
});
