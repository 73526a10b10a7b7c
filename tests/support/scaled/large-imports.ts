import { expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** Imports of files of 32 MiB, as large as an import accepts. */

export const maxBytes = mebibytes(32);
export const listImport = "/api/user/watchList/import";

export const sendFile = (member: Visitor, path: string, body: string | Uint8Array) =>
  member.request(path, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "Content-Type": "application/octet-stream" },
  });

/** A list file of these entries. */
export const list = (entries: string) => `{"format":"engawa-list","entries":[${entries}]}`;
/** The text so often that its file is barely small enough to be read. */
export const many = (text: string) => text.repeat(Math.floor((maxBytes - 1000) / text.length));

type Refused = [what: string, body: string, status: number, message: RegExp];

export function testRefusedFiles(files: readonly Refused[]) {
  test.each(files)("a file with %s is refused", async (_, body, status, message) => {
    const member = await newMember();
    const refusal = await refusalOf(sendFile(member, listImport, body));
    expect(refusal).toMatchObject({ status, error: expect.stringMatching(message) });
    expect(await dataOf(member.request("/api/user/watchList"))).toEqual([]);
  });
}
