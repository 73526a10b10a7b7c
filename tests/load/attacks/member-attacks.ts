import { Agent, fetch } from "undici";
import type { Attacker, Sent } from "#tests/load/attacks/attacker.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";

/**
 * Attacks by a member with an account. A flood keeps `count` requests under way and repeats each one as soon as it is
 * answered.
 */

export type MemberTarget = {
  /** The cookies of the attacker's sessions, all of one account. */
  sessions: readonly string[];
  /** The ids of titles in the catalog. */
  malIds: readonly number[];
};

export type MemberRequest = Sent & { path: string };

type Flood = { count: number; request(at: number, target: MemberTarget): MemberRequest };
type Held = {
  count: number;
  bytes(target: MemberTarget): string;
  /** Bytes that each connection sends every five seconds. */
  more?: string;
  reads: "a byte at a time" | false;
};

const json = (method: string, path: string, body: unknown): MemberRequest => ({
  method,
  path,
  body: JSON.stringify(body),
});
const listForm = (body: string): MemberRequest => ({
  method: "POST",
  path: "/list",
  body,
  headers: { "Content-Type": "application/x-www-form-urlencoded" },
});
const one = <Value>(values: readonly Value[], at: number) => values[at % values.length] as Value;
const note = "A note as long as a member may like to write it. ".repeat(10);

/** A picture of one pixel, so that an upload is small. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const mebibyte = 1024 * 1024;

/** A form that restores entries, as the undo of many edits does. Its text is no JSON, which is noticed after it is read. */
const undoOfMebibytes = (mebibytes: number) =>
  `intent=restore&entries=${"%5B".repeat((mebibytes * mebibyte) / 3)}`;

/** An import that adds every title of the catalog, each with a note. */
function importOf(at: number, { malIds }: MemberTarget): MemberRequest {
  return json("POST", "/api/user/watchList/import", {
    format: "engawa-list",
    entries: malIds.map((mal_id) => ({ mal_id, type: "Watching", notes: `${note}${at}` })),
  });
}

export const memberFloods: Record<string, Flood> = {
  "the list": { count: 60, request: () => ({ path: "/api/user/watchList" }) },
  "the page of the list": { count: 60, request: () => ({ path: "/list" }) },
  "writes to the list": {
    count: 60,
    request: (at, { malIds }) =>
      json("POST", "/api/user/watchList", {
        animeId: one(malIds, at),
        type: "Watching",
        notes: `${note}${at}`,
      }),
  },
  progress: {
    count: 60,
    request: (at, { malIds }) =>
      json("PUT", "/api/user/progress", { mal_id: one(malIds, at), ep: 1, position: at, duration: 1400 }),
  },
  exports: {
    count: 40,
    request: (at) => ({ path: at % 2 ? "/api/user/export" : "/api/user/watchList/export?format=json" }),
  },
  "exports and lists whose clients leave": {
    count: 60,
    request: (at) => ({
      path: at % 2 ? "/api/user/export" : "/api/user/watchList",
      leavesAfterMs: 10 * (at % 5),
    }),
  },
  imports: { count: 20, request: importOf },
  uploads: {
    count: 40,
    request: (at) => json("POST", "/api/uploadImage", { image: pixel, filename: `${at}.png` }),
  },
  "device codes": { count: 40, request: () => json("POST", "/api/auth/device", {}) },
  invitations: {
    count: 40,
    request: (at) => ({ path: `/signup?invitation=${String(at).padStart(22, "guess")}` }),
  },
  "posters of all titles and widths": {
    count: 80,
    request: (at, { malIds }) => ({
      path: `/poster/${one(malIds, at)}.webp?w=${60 + (Math.floor(at / malIds.length) % 40) * 20}`,
    }),
  },
  "lists with a tag": { count: 60, request: (at) => ({ path: `/list?tag=tag-${at % 50}` }) },
  "the largest forms": { count: 20, request: () => listForm(undoOfMebibytes(8)) },
  "forms of endless fields": {
    count: 40,
    request: (at) => listForm((at % 2 ? "a=&" : "+").repeat(mebibyte / (at % 2 ? 3 : 1))),
  },
  "/random": { count: 60, request: () => ({ path: "/random" }) },
};

export const memberHolds: Record<string, Held> = {
  "400 readers of a film, a byte at a time": {
    count: 400,
    bytes: () => "GET /film/2/film.webm HTTP/1.1\r\nHost: a\r\n\r\n",
    reads: "a byte at a time",
  },
  "100 large forms that arrive slowly": {
    count: 100,
    bytes: ({ sessions: [cookie] }) =>
      `POST /list HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${8 * mebibyte}\r\n\r\nintent=`,
    more: "a".repeat(1000),
    reads: false,
  },
  "pipelined pages": {
    count: 50,
    bytes: ({ sessions: [cookie] }) =>
      `GET /list HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`.repeat(200),
    reads: false,
  },
};

/** Each attack runs from one address, from many addresses, and with many sessions of one account. */
export const shapes: Record<string, Shape> = {
  "one address": { addresses: 1, sessions: 1 },
  "many addresses": { addresses: 16, sessions: 1 },
  "many sessions": { addresses: 1, sessions: 16 },
};

type Shape = { addresses: number; sessions: number };

/** Adds the cookie of one of the sessions to the request. */
export function sentBy(request: MemberRequest, cookie: string): MemberRequest {
  return { ...request, headers: { ...request.headers, Cookie: cookie } };
}

/** Starts the flood from the attackers, each with its own address. The caller stops them. */
export function startFlood(
  attackers: readonly Attacker[],
  { count, request }: Flood,
  target: MemberTarget,
  { addresses, sessions }: Shape,
): void {
  const own = attackers.slice(0, addresses);
  const requestAt = (at: number) => sentBy(request(at, target), one(target.sessions.slice(0, sessions), at));
  for (const [index, attacker] of own.entries()) {
    const at = (asked: number) => asked * own.length + index;
    attacker.flood(
      Math.ceil(count / own.length),
      (asked) => requestAt(at(asked)).path,
      (asked) => requestAt(at(asked)),
    );
  }
}

let accounts = 0;

/** Creates an account from an address of its own, which the limits of sign-ups count, and returns the cookies of its sessions. */
export async function newSessions(origin: string, count: number): Promise<string[]> {
  accounts += 1;
  const account = { email: `attacker-${accounts}@example.org`, password: goodPassword };
  const cookies: string[] = [];
  for (let at = 0; at < count; at++) {
    const answer = await fetch(`${origin}/api/auth/${at === 0 ? "signup" : "signin"}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: origin },
      body: JSON.stringify({ ...account, ...(at === 0 && { username: `Attacker ${accounts}` }) }),
      dispatcher: new Agent({ localAddress: `127.1.${accounts}.${1 + at}` }),
    });
    if (!answer.ok) throw new Error(`a session was refused with ${answer.status}: ${await answer.text()}`);
    const pairs = answer.headers.getSetCookie().map((line) => line.split(";")[0]);
    cookies.push(pairs.join("; "));
  }
  return cookies;
}

export async function listTitles(origin: string): Promise<number[]> {
  const malIds: number[] = [];
  for (let page = 1; page <= 5; page++) {
    const answer = await fetch(`${origin}/api/animes/full?limit_count=100&page_number=${page}`);
    const { data } = (await answer.json()) as { data: { mal_id: number }[] };
    malIds.push(...data.map(({ mal_id }) => mal_id));
  }
  return malIds;
}

export async function fillList(origin: string, target: MemberTarget): Promise<void> {
  const { path, body = "" } = importOf(0, target);
  const answer = await fetch(origin + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: origin, Cookie: target.sessions[0] ?? "" },
    body,
  });
  if (!answer.ok) throw new Error(`the list was refused with ${answer.status}: ${await answer.text()}`);
}
