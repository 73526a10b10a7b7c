import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";

const schema = z.object({ name: z.string() });

/** Reads a form of so many bytes: "read", or the status that refuses it. */
async function send(bytes: number) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = "name=".padEnd(bytes, "a");
  const request = new Request("http://localhost/list", { method: "POST", headers, body });
  const read = readPageForm(schema, request, { limit: mebibytes(9) });
  return read.then(
    ({ ok }) => ok && "read",
    (answer: Response) => answer.status,
  );
}

test("within ten seconds, one client's second form of eight mebibytes is refused, and its small forms are read", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await Promise.all([send(mebibytes(8)), send(kibibytes(60))])).toEqual(["read", "read"]);
  expect(await Promise.all([send(mebibytes(8)), send(kibibytes(60))])).toEqual([503, "read"]);
  vi.advanceTimersByTime(seconds(20));
  expect(await send(mebibytes(8))).toBe("read");
});
