import { expect, test } from "vitest";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { listImport, maxBytes, sendFile, testImportedAccount } from "#tests/support/scaled/large-imports.ts";

/**
 * An account as large as an import accepts, and hostile files. The thread that reads them has a heap of 24 MiB, whatever the
 * site's memory. tests/release imports lists of this size in every format.
 */

testImportedAccount();

const list = (entries: string) => `{"format":"engawa-list","entries":[${entries}]}`;
const many = (text: string) => text.repeat(Math.floor((maxBytes - 1000) / text.length));

test.each([
  ["more than 32 MiB", list(many("[],").repeat(2)), 413, /larger|more than/],
  ["more values than an account has", list(`${many("{},")}{}`), 413, /more data than a list/],
  [
    "one entry with millions of values",
    list(`{"mal_id":1,"a":{${many('"b":0,').slice(0, -1)}}}`),
    413,
    /more data/,
  ],
  ["one long string", list(`{"mal_id":1,"notes":"${many("a")}"}`), 413, /more data than a list/],
  ["one long number", list(many("1")), 413, /more data than a list/],
  ["deep nesting", many("["), 413, /more data than a list/],
  [
    "entries that do not end",
    list(many('{"mal_id":1,"type":"Watching","notes":"aaaaaaaaaaaaaaaaaa"},')),
    400,
    /not valid JSON/,
  ],
  [
    "more entries than there are titles",
    list(`${many('{"mal_id":1,"type":"Watching","notes":"aaaaaaaaaaaaaaaaaa"},')}{}`),
    400,
    /more than 50000 entries/,
  ],
  ["one long comment", `<myanimelist><!--${many("a>")}--></myanimelist>`, 413, /more data than a list/],
  ["one long tag", `<myanimelist ${many('a="b" ')}></myanimelist>`, 413, /more data than a list/],
  [
    "one long text",
    `<myanimelist><anime><my_tags>${many("a")}</my_tags></anime></myanimelist>`,
    400,
    /my_tags is too long/,
  ],
  [
    "one entry with millions of fields",
    `<myanimelist><anime>${Array.from({ length: 2_000_000 }, (_, at) => `<a${at}>1</a${at}>`)
      .join("")
      .slice(0, maxBytes - 1000)}`,
    413,
    /more data than a list/,
  ],
])("a file with %s is refused", async (_, body, status, message) => {
  const member = await newMember();
  const refusal = await refusalOf(sendFile(member, listImport, body));
  expect(refusal).toMatchObject({ status, error: expect.stringMatching(message) });
  expect(await dataOf(member.request("/api/user/watchList"))).toEqual([]);
});
