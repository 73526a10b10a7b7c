import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { contextOfClient } from "#tests/support/requests/client-context.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.DATA_DIR = temporaryFolder("uploads");
process.env.MIN_FREE_DISK = "0";
const { readUploadedFile } = await import("#app/http/endpoint/uploaded-file.server.ts");
const { currentClient, workFor } = await import("#app/platform/limits/current-client.server.ts");

const jsonFile = () => new Request("http://engawa.test/import", { method: "POST", body: "{}" });

/** Imports a file for the account, which is at an address of its own each time. */
function importFile(
  account: string,
  read: Parameters<typeof readUploadedFile<string>>[2],
  request = jsonFile(),
) {
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

const partOfFile =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="list.xml"\r\n\r\n<myanimelist>';

/** A form whose body arrives in two chunks. Left out, the second one fails: the client has left. */
function sentForm(first: string, second?: string) {
  const body = new ReadableStream({
    start: (pieces) => pieces.enqueue(Buffer.from(first)),
    pull(pieces) {
      if (second === undefined) return pieces.error(new Error("the client has left"));
      pieces.enqueue(Buffer.from(second));
      pieces.close();
    },
  });
  const headers = { "Content-Type": "multipart/form-data; boundary=b" };
  const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  return new Request("http://engawa.test/import", init);
}

test("a form that breaks off in its file gives back its place", async () => {
  for (let sent = 0; sent < 3; sent++)
    await expect(importFile("leaving", readAtOnce, sentForm(partOfFile))).rejects.toMatchObject({
      status: 400,
    });
  expect(await importFile("leaving", readAtOnce)).toBe("imported");
});

test("a form ends with a long part that is no field, and one without parts may be followed by anything", async () => {
  const form = sentForm(partOfFile, `\r\n--b\r\nX: y\r\n\r\n${"x".repeat(131_200)}\r\n--b--`);
  expect(await importFile("sender", readAtOnce, form)).toBe("imported");
  const empty = sentForm("--b--\r\n", "x");
  await expect(importFile("sender", readAtOnce, empty)).rejects.toMatchObject({ status: 400 });
});
