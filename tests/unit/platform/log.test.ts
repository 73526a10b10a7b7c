import { expect, test } from "vitest";
import { errorFields } from "#app/platform/log.server.ts";

test("the log fields of an error contain the names and the innermost code, but no message text", () => {
  const refused = Object.assign(new Error("connect to 10.0.0.7 as mori@example.org"), { code: "57P03" });
  const down = new TypeError("no connection", { cause: refused });
  const failed = new Error("select … params: mori@example.org", { cause: down });
  const fields = errorFields(failed);
  expect(fields).toMatchObject({ error: "Error < TypeError < Error", code: "57P03" });
  expect(JSON.stringify(fields)).not.toMatch(/mori|10\.0\.0\.7|select/);
});
