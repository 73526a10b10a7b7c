import { list, many, maxBytes, testRefusedFiles } from "#tests/support/scaled/large-imports.ts";

/**
 * Hostile files of lists. The thread that reads them has a heap of 24 MiB, whatever the site's memory. tests/release imports
 * lists and accounts as large as an import accepts, and files of so many entries.
 */

testRefusedFiles([
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
]);
