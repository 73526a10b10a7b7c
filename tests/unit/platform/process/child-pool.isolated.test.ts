import { expect, test, vi } from "vitest";

vi.mock("node:child_process", async (original) => ({
  ...(await original<typeof import("node:child_process")>()),
  spawn() {
    throw Object.assign(new Error("spawn"), { code: "ENOMEM" });
  },
}));
const { ChildPool } = await import("#app/platform/process/child-pool.server.ts");

test("a job for which the system creates no process fails, and so does the next one", async () => {
  const pool = new ChildPool({ file: "none.js", children: 1, memoryMb: 64, queueLength: 9, clientLength: 9 });
  const run = () => pool.run({}, { client: "one", timeoutMs: 1000 });
  await expect(run()).rejects.toMatchObject({ failure: "crashed" });
  await expect(run()).rejects.toMatchObject({ failure: "crashed" });
});
