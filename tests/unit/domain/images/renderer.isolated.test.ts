import type { SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { beforeEach, expect, test, vi } from "vitest";

const nobody = 65534;
const spawned: (number | undefined)[] = [];
let code = "";

/** Node throws these; others are events of the process. */
const thrown = ["ENOMEM", "EPERM"];

/** A process that could not be created. */
function failedSpawn(_file: string, _args: readonly string[], { uid }: SpawnOptions) {
  spawned.push(uid);
  if (thrown.includes(code)) throw Object.assign(new Error("spawn"), { code });
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
beforeEach(() => {
  vi.resetModules();
  spawned.length = 0;
});
const importRenderer = () => import("#app/domain/images/renderer.server.ts");
async function picture() {
  const { render } = await importRenderer();
  return render({ kind: "image", widthPx: 9, format: "webp", quality: 80 }, Buffer.from("x"), {
    client: "one",
  });
}

test.each(["EAGAIN", "ENOMEM"])(
  "a machine that creates no process (%s) does not lead to decoding as root",
  async (name) => {
    code = name;
    expect(await picture()).toEqual({ ok: false, failure: "crashed" });
    expect(await picture()).toEqual({ ok: false, failure: "crashed" });
    expect(new Set(spawned)).toEqual(new Set([nobody]));
  },
);

test.each(["EACCES", "EPERM"])("an account that may not run the processes (%s) does", async (name) => {
  code = name;
  expect(await picture()).toEqual({ ok: false, failure: "crashed" });
  expect([...new Set(spawned)]).toEqual([nobody, undefined]);
});

test.each(["ENOMEM", "EPERM"])("the site starts if no process can be created (%s)", async (name) => {
  code = name;
  const { prepareRenderers } = await importRenderer();
  expect(prepareRenderers).not.toThrow();
});
