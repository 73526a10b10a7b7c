import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";

const schema = z.object({ name: z.string() });

/**
 * Reads a form of so many bytes, which arrives in pieces: "read", or the status that refuses it. `onPiece` is called for
 * each piece that is asked for.
 */
async function send(bytes: number, onPiece: () => void = () => {}) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(bytes) };
  const text = Buffer.from("name=".padEnd(bytes, "a"));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(pieces) {
      onPiece();
      pieces.enqueue(text.subarray(sent, sent + kibibytes(64)));
      sent += kibibytes(64);
      if (sent >= bytes) pieces.close();
    },
  });
  const request = new Request("http://localhost/list", {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
  return readPageForm(schema, request, { limit: mebibytes(9) }).then(
    ({ ok }) => ok && "read",
    (answer: Response) => answer.status,
  );
}

/** At the end, the forms that were read give their bytes back. */
function fakeTime() {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => {
    vi.advanceTimersByTime(seconds(10));
    vi.useRealTimers();
  });
}

test("a form without a known intent is not complete, and no field of it is at fault", async () => {
  const forms = z.discriminatedUnion("intent", [z.object({ intent: z.literal("add"), name: z.string() })]);
  const read = (text: string) =>
    readPageForm(
      forms,
      new Request("http://localhost/list", { method: "POST", body: new URLSearchParams(text) }),
    );
  expect(await read("intent=other&name=a")).toMatchObject({ ok: false, message: "The form is not complete" });
  expect(await read("intent=add")).toMatchObject({ ok: false, message: "name is missing" });
});

test("within ten seconds, one client's second form of eight mebibytes is refused, and its small forms are read", async () => {
  fakeTime();
  expect(await send(mebibytes(8))).toBe("read");
  vi.advanceTimersByTime(seconds(10) - 1);
  expect(await send(mebibytes(8))).toBe(503);
  expect(await send(kibibytes(60))).toBe("read");
  // The refused form has kept nothing.
  expect(await send(mebibytes(1.5))).toBe("read");
  vi.advanceTimersByTime(1);
  expect(await send(mebibytes(8))).toBe("read");
});

test("of two large forms that arrive at the same time, the one that does not fit is not read to its end", async () => {
  fakeTime();
  let pieces = 0;
  const both = [send(mebibytes(8)), send(mebibytes(8), () => pieces++)];
  expect(await Promise.all(both)).toEqual(["read", 503]);
  expect(pieces).toBeLessThan(8);
});
