import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { readPageForm } from "#app/http/forms/form.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";

const schema = z.object({ name: z.string() });
const limit = mebibytes(9);

function formOf(bytes: number, body: BodyInit = "name=Lena") {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "Content-Length": String(bytes) };
  return new Request("http://localhost/list", {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

test("while a large form of a client arrives and ten seconds more, its next large form is refused and a small one is read", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { readable, writable } = new TransformStream<Uint8Array>();
  const slow = readPageForm(schema, formOf(limit, readable), { limit });
  expect(await readPageForm(schema, formOf(limit), { limit })).toMatchObject({
    ok: false,
    reason: "overloaded",
  });
  expect(await readPageForm(schema, formOf(kibibytes(60)), { limit })).toMatchObject({ ok: true });
  const writer = writable.getWriter();
  await writer.write(new TextEncoder().encode("name=Olga"));
  await writer.close();
  expect(await slow).toMatchObject({ ok: true, value: { name: "Olga" } });
  expect(await readPageForm(schema, formOf(limit), { limit })).toMatchObject({ ok: false });
  vi.advanceTimersByTime(seconds(10));
  expect(await readPageForm(schema, formOf(limit), { limit })).toMatchObject({ ok: true });
});
