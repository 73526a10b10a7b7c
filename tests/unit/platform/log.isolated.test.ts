import { expect, test, vi } from "vitest";

test("LOG_LEVEL does not hide the notice at the start, which has the link of the set-up", async () => {
  process.env.LOG_LEVEL = "error";
  const { log } = await import("#app/platform/log.server.ts");
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  log.info("listening");
  log.plain("  set up         http://localhost:3000/setup");
  await new Promise((settle) => setImmediate(settle));
  const lines = written.mock.calls.map(([line]) => `${line}`).join("");
  written.mockRestore();
  expect(lines).toContain("http://localhost:3000/setup");
  expect(lines).not.toContain("listening");
});
