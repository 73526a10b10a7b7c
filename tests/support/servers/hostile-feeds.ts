import { randomUUID } from "node:crypto";
import type { RequestListener, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { storedAsZstd, zstdBomb } from "#tests/support/data/zstd-bytes.ts";
import { sendBytes } from "#tests/support/servers/upstream.ts";

/** Servers that send harmful feeds of each kind. */

export const kinds = ["offline-database", "jikan", "engawa"] as const;
export type Kind = (typeof kinds)[number];

type Attack = {
  /** Answers as a server of this kind would. */
  answer: (kind: Kind) => RequestListener;
  /** The message on the page for operators. */
  says: RegExp | Record<Kind, RegExp>;
};

type Title = { id: number; externalId?: number };
const anidb = (id: number) => `https://anidb.net/anime/${id}`;

/** An honest answer with these titles. */
const answers: Record<Kind, (titles: readonly Title[]) => string> = {
  "offline-database": (titles) => `{"data":[\n${titles.map(entryOf).join(",\n")}\n]}`,
  jikan: (titles) => JSON.stringify({ data: titles.map(jikanTitleOf), pagination: { has_next_page: false } }),
  engawa: (titles) =>
    [
      { kind: "changes", catalogs: [randomUUID()] },
      ...titles.map(titleLineOf),
      { kind: "end", since: "1", more: false },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
};

const entryOf = ({ id, externalId }: Title) =>
  JSON.stringify({
    sources: [`https://myanimelist.net/anime/${id}`, ...(externalId ? [anidb(externalId)] : [])],
    title: `Hostile ${id}`,
    type: "TV",
    episodes: 1,
    status: "FINISHED",
    animeSeason: { season: "SPRING", year: 2020 },
    tags: [],
    synonyms: [],
  });
const jikanTitleOf = ({ id, externalId }: Title) => ({
  mal_id: id,
  url: `https://myanimelist.net/anime/${id}/x`,
  title: `Hostile ${id}`,
  aired: {},
  titles: [],
  external: externalId ? [{ name: "AniDB", url: anidb(externalId) }] : [],
});
const titleLineOf = ({ id, externalId }: Title) => ({
  kind: "title",
  mal_id: id,
  title: `Hostile ${id}`,
  external_ids: externalId ? [`anidb:${externalId}`] : [],
});

const someTitles = Array.from({ length: 40 }, (_, at): Title => ({ id: 800_001 + at }));
const honest = (kind: Kind) => answers[kind](someTitles);

/** Sends the chunk again and again, as fast as the reader takes it, `times` times. */
function repeat(response: ServerResponse, chunk: Buffer, times = Number.POSITIVE_INFINITY) {
  let left = times;
  const write = () => {
    while (!response.destroyed && left-- > 0) if (!response.write(chunk)) return;
    response.end();
  };
  response.on("error", () => {}).on("drain", write);
  write();
}

const line = Buffer.from(`{"kind":"of a later version","text":"${"x".repeat(64_000)}"}\n`);
const gigabyteOfSpaces = gzipSync(Buffer.alloc(2 ** 20, 0x20), { level: 1 });
const cutsIn = (text: string) => Buffer.from(text).subarray(0, text.length / 2);
const noTitle = {
  "offline-database": /no entry that can be used/,
  jikan: /something else than a page of titles/,
  engawa: /something else than changes/,
};
const tooLarge = {
  "offline-database": /larger than 512 MB/,
  jikan: /larger than 32 MB/,
  engawa: /larger than 32 MB|a line that is no title/,
};

export const attacks: Record<string, Attack> = {
  endless: {
    answer: () => (_, response) => repeat(response, line),
    says: tooLarge,
  },
  "shorter-than-it-says": {
    answer: (kind) => (_, response) => {
      response.writeHead(200, { "Content-Length": 1_000_000 });
      response.write(honest(kind), () => response.destroy());
    },
    says: /closed the connection too early/,
  },
  "longer-than-it-says": {
    answer: (kind) => (_, response) => {
      const text = honest(kind);
      response.writeHead(200, { "Content-Length": text.length / 2, Connection: "close" }).end(text);
    },
    says: {
      "offline-database": /the file ends in the middle|not HTTP|closed the connection/,
      jikan: /something else than a page|not HTTP|closed the connection/,
      engawa: /ended its answer too early|something else than changes|not HTTP|closed the connection/,
    },
  },
  "packed-as-nobody-asked": {
    answer: (kind) => sendBytes(honest(kind), { "Content-Encoding": "br" }),
    says: /packs the file as br, which it was not asked to do/,
  },
  "in-another-encoding": {
    answer: (kind) => sendBytes(Buffer.from(honest(kind), "utf16le")),
    says: noTitle,
  },
  "a-web-page": {
    answer: () => sendBytes("<!doctype html><title>Moved</title>"),
    says: /a web page and not/,
  },
  failing: { answer: () => (_, response) => void response.writeHead(500).end(), says: /answered 500/ },
  "a-zstd-bomb": {
    answer: () => sendBytes(zstdBomb(50_000, 0x5b)),
    says: { ...tooLarge, "offline-database": noTitle["offline-database"] },
  },
  "a-zstd-window": {
    answer: () => sendBytes(storedAsZstd(Buffer.from("{}"), { windowExponent: 31 })),
    says: /window of more than 128 MB/,
  },
  "a-gzip-bomb": {
    answer: () => (_, response) => repeat(response, gigabyteOfSpaces, 1024),
    says: { ...tooLarge, "offline-database": /begins with too many spaces/ },
  },
  "one-line-of-a-gigabyte": {
    answer: () => (_, response) => repeat(response, Buffer.alloc(2 ** 20, 0x78), 1024),
    says: tooLarge,
  },
  "colliding-ids": {
    answer: (kind) =>
      sendBytes(
        answers[kind](
          [0, 1].map((at) => ({
            id: 810_000 + 10 * kinds.indexOf(kind) + at,
            externalId: 9_000_001 + kinds.indexOf(kind),
          })),
        ),
      ),
    says: /anidb:900000\d is the id of title 8100\d0/,
  },
  "redirected-into-the-network": {
    answer: () => (request, response) =>
      void response.writeHead(302, { Location: `http://${request.headers.host}/private` }).end(),
    says: /private network/,
  },
  "cut-in-the-middle": {
    answer: (kind) => (_, response) => {
      response.writeHead(200);
      response.write(cutsIn(honest(kind)), () => response.destroy());
    },
    says: /closed the connection too early/,
  },
  "packed-and-cut": {
    answer: (kind) => sendBytes(storedAsZstd(Buffer.from(honest(kind))).subarray(0, -30)),
    says: /incomplete or damaged/,
  },
};
