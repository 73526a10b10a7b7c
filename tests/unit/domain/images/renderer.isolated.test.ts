import type { SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";

const nobody = 65534;
const spawned: (number | undefined)[] = [];
let code = "";

/** A process that could not be created. */
function failedSpawn(_file: string, _args: readonly string[], { uid }: SpawnOptions) {
  spawned.push(uid);
  const handle = { ref() {}, unref() {} };
  const child = Object.assign(new EventEmitter(), handle, {
    stdin: Object.assign(new PassThrough(), handle),
    stdout: Object.assign(new PassThrough(), handle),
    kill: () => true,
  });
  setImmediate(() => {
    child.emit("error", Object.assign(new Error("spawn"), { code }));
    child.emit("close", -11, null);
  });
  return child;
}
vi.mock("node:child_process", async (original) => ({
  ...(await original<typeof import("node:child_process")>()),
  spawn: failedSpawn,
}));
process.getuid = () => 0;
const { render } = await import("#app/domain/images/renderer.server.ts");
const picture = () =>
  render({ kind: "image", widthPx: 9, format: "webp", quality: 80 }, Buffer.from("x"), { client: "one" });

test.each(["EAGAIN", "ENOMEM"])(
  "a machine that creates no process (%s) does not lead to decoding as root",
  async (name) => {
    code = name;
    spawned.length = 0;
    expect(await picture()).toEqual({ ok: false, failure: "crashed" });
    expect(await picture()).toEqual({ ok: false, failure: "crashed" });
    expect(new Set(spawned)).toEqual(new Set([nobody]));
  },
);

test("an account that may not run the processes does", async () => {
  code = "EACCES";
  spawned.length = 0;
  expect(await picture()).toEqual({ ok: false, failure: "crashed" });
  expect([spawned[0], spawned.at(-1)]).toEqual([nobody, undefined]);
});
