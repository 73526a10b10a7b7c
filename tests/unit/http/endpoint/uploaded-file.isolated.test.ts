import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { contextOfClient } from "#tests/support/requests/client-context.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.DATA_DIR = temporaryFolder("uploads");
process.env.MIN_FREE_DISK = "0";
const { readUploadedFile } = await import("#app/http/endpoint/uploaded-file.server.ts");
const { currentClient, workFor } = await import("#app/platform/limits/current-client.server.ts");

/** Imports a file for the account, which is at an address of its own each time. */
function importFile(account: string, read: Parameters<typeof readUploadedFile<string>>[2]) {
  const request = new Request("http://engawa.test/import", { method: "POST", body: "{}" });
  const ip = `192.0.2.${++lastAddress}`;
  return workFor(ip, () => {
    Object.assign(currentClient()!, { account });
    return readUploadedFile(request, contextOfClient({ ip }), read);
  });
}
let lastAddress = 0;
const readAtOnce = async () => "imported";

test("three files of an account are kept, until the client has read their reports", async () => {
  const reports = Array.from({ length: 3 }, () => new Readable({ read() {} }));
  const answers = reports.map((report) =>
    importFile("slow", async ({ keepFor }) => {
      keepFor(report);
      return "report";
    }),
  );
  expect(await Promise.all(answers)).toEqual(["report", "report", "report"]);
  await expect(importFile("slow", readAtOnce)).rejects.toMatchObject({ status: 503 });
  expect(await importFile("quick", readAtOnce)).toBe("imported");

  reports[0]?.destroy();
  await expect.poll(() => importFile("slow", readAtOnce).catch(({ status }) => status)).toBe("imported");
  for (const report of reports) report.destroy();
});
