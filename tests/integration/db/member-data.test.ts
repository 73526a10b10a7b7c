import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { editTitle, hideTitle } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { createInvitation } from "#app/domain/joining/joining.server.ts";
import { createResetPath } from "#app/domain/sign-in/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { identities } from "#db/schema/accounts.ts";
import { invitations, invitationUses } from "#db/schema/invitations.ts";
import { episodeWishes, wishes } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { signUpMember, Visitor } from "#tests/support/requests/visitor.ts";

/**
 * All data that the site stores about a member. A new table with a path to `users` fails here until the account's export
 * contains it or this file says why not, and until `fillEveryTable` writes a row of it whose deletion can be checked.
 */

type ExportedTable = {
  /** Where the account's file contains the table's rows. */
  sections: string[];
  /** Columns that the file leaves out, each with its reason. */
  leftOut: Record<string, string>;
};

const ownership = { user_id: "the file is this member's alone" };

const exported: Record<string, ExportedTable> = {
  users: {
    sections: ["account", "profile", "preferences"],
    leftOut: {
      id: "means nothing on another installation",
      account_id: "profiles.test.ts reads what the file says of the other profiles",
      ceiling: "child-limits.test.ts reads what the file says of a child",
      titles_chosen_at: "part of cache keys of this installation",
      email_verified_at: "another installation verifies for itself",
      role: "rights are given by each installation's operator",
      disabled: "decided by each installation's operator",
      profile_updated_at: "bookkeeping of this row",
      preferences_updated_at: "bookkeeping of this row",
      joined_before_invitations: "about the rule of sign-up of this installation",
      sessions_ended_at: "about the sessions of this installation",
      version: "no longer used",
      film_generation: "ends signed addresses of this installation",
    },
  },
  watch_list: {
    sections: ["watch_list"],
    leftOut: {
      ...ownership,
      id: "names the row for this API only",
      ticks: "the file has them as pairs; list-import.test.ts reads them back",
    },
  },
  search_history: {
    sections: ["search_history"],
    leftOut: { ...ownership, id: "names the row for this API only" },
  },
  watch_progress: { sections: ["watch_progress"], leftOut: ownership },
  watch_history: { sections: ["watch_history"], leftOut: ownership },
  track_choices: { sections: ["track_choices"], leftOut: ownership },
  dismissals: { sections: ["dismissals"], leftOut: ownership },
  wishes: {
    sections: ["wishes"],
    leftOut: { ...ownership, fulfilled_at: "about the films of this installation" },
  },
  episode_wishes: {
    sections: ["wishes"],
    leftOut: { ...ownership, fulfilled_at: "about the films of this installation" },
  },
  household_titles: { sections: ["household_titles"], leftOut: ownership },
  security_events: {
    sections: ["security_events"],
    leftOut: {
      ...ownership,
      id: "names the row for this site only",
      operator_id: "names another member",
      network_hash: "a hash that only this installation's secret can check",
    },
  },
};

const notExported: Record<string, string> = {
  credentials: "a password's hash signs in",
  profile_pins: "a PIN's hash opens a profile",
  identities: "the provider's name for a member signs in",
  sessions: "a session signs in",
  access_tokens: "a token signs in",
  mailed_tokens: "a mailed link signs in",
  known_addresses: "hashes that only this installation's secret can check",
  sign_in_failures: "counts attempts of others as well",
  import_undos: "ends with the next imports; the list itself is in the file",
  image_uses: "the profile in the file has the pictures' addresses",
  hidden_titles: "what an operator decided for this site",
  invitations: "what an operator made for this site, and its secret lets somebody sign up",
  invitation_uses: "by which invitation of this installation the member came",
  device_codes: "a code that ends within ten minutes and signs in",
  device_code_guesses: "counts wrong codes of the last quarter of an hour",
  title_edits: "what an operator changed of this site's catalog, which stays without the name",
};

const password = "Abc123!x";
const marker = "member-data-marker";
let member: Awaited<ReturnType<typeof signUpMember>>;

beforeAll(async () => {
  member = await signUpMember({ username: `${marker}-name`, email: `${marker}@example.org`, password });
  await fillEveryTable();
});

async function fillEveryTable() {
  const malId = await someTitle({ episodes: 12 });
  await member.request("/api/auth/signin", { json: { email: member.email, password: "Wrong123!x" } });
  await dataOf(
    member.request("/api/user/profile", {
      json: {
        name: `${marker}-display`,
        last_name: `${marker}-last`,
        gender: "female",
        birthday: "1992-01-15",
        favorite_animes: [malId],
        watched_animes: [malId],
        favorite_genres: ["Drama"],
        favorite_studios: ["Kyoto Animation"],
        frequency: "weekly",
        fanatic_level: "otaku",
        preferred_format: "TV",
      },
    }),
  );
  await dataOf(
    member.request("/api/saveUserPreferences", {
      json: {
        enfasis: "#aa00bb",
        timeZone: "Europe/Madrid",
        titleLanguage: "japanese",
        theme: "light",
        soundLanguage: "en",
        subtitleLanguages: ["en", "de"],
        plainSubtitles: true,
      },
    }),
  );
  const picture = await plainPng(600, 600, "#306090");
  for (const [type, field] of [
    ["avatar", "avatar"],
    ["banner", "banner_image"],
  ] as const) {
    const url = await dataOf<string>(
      member.request("/api/uploadImage", {
        json: { image: picture.toString("base64"), filename: "me.png", type },
      }),
    );
    await dataOf(member.request("/api/saveImage", { json: { [field]: url } }));
  }
  await dataOf(
    member.request("/api/user/watchList/import", {
      json: {
        format: "engawa-list",
        version: 1,
        entries: [
          {
            mal_id: malId,
            type: "Watching",
            state: "rewatching",
            progress: 5,
            ticks: [
              [1, 3],
              [5, 5],
            ],
            rewatch_count: 3,
            rewatch_progress: 4,
            score: 7.5,
            notes: `${marker}-note`,
            tags: [`${marker}-tag`],
          },
        ],
      },
    }),
  );
  await dataOf(
    member.request("/api/user/watchList/update", {
      method: "PUT",
      json: { animeId: malId, type: "Watching", started_on: "2026-01-02", finished_on: "2026-02-03" },
    }),
  );
  await dataOf(member.request("/api/user/searchHistory", { json: { query: `${marker}-query` } }));
  await dataOf(
    member.request("/api/user/progress", {
      method: "PUT",
      json: { mal_id: malId, ep: 1, position: 1300.5, duration: 1400.25, at: "2026-01-05T10:11:12Z" },
    }),
  );
  await dataOf(
    member.request("/api/user/trackChoice", {
      method: "PUT",
      json: { mal_id: malId, sound: "en", subtitles: "en signs" },
    }),
  );
  const dismissal = { intent: "dismiss", mal_id: `${malId}`, place: "continue" };
  expect((await member.request("/list", { form: dismissal })).status).toBe(200);
  // This site has no folder of films and accepts no wishes.
  const wish = { userId: member.id, malId, fulfilledAt: new Date() };
  await db.insert(wishes).values(wish);
  await db.insert(episodeWishes).values({ ...wish, episode: 3 });
  const child = { name: `${marker}-child`, accent: "#16a34a", ceiling: "g", pin: "2580" };
  expect((await member.request("/profiles/manage", { form: child })).status).toBe(302);
  const allowed = { id: String(malId), verdict: "allowed" };
  expect((await member.request("/profiles/titles", { form: allowed })).status).toBe(302);
  await dataOf(member.request("/api/auth/tokens", { json: { name: `${marker}-token`, scope: "read" } }), 201);
  await db
    .insert(identities)
    .values({ issuer: "https://id.example.org", subject: `${marker}-subject`, userId: member.id });
  expect((await createResetPath(member.email)).ok).toBe(true);
  const operator = { kind: "operator", ip: null, operatorId: member.id } as const;
  expect((await hideTitle(await someTitle(), operator)).ok).toBe(true);
  const invitation = { note: "For a friend", maxUses: 1, lifetimeDays: 7 };
  expect((await createInvitation(invitation, operator)).ok).toBe(true);
  const [made] = await db.select().from(invitations).where(eq(invitations.userId, member.id));
  const started = await dataOf<{ user_code: string }>(member.request("/api/auth/device", { method: "POST" }));
  const form = { intent: "confirm", code: started.user_code, profile: member.id };
  expect((await member.request("/link", { form })).status).toBe(200);
  await db.insert(invitationUses).values({ userId: member.id, invitationId: made?.id ?? "" });
  const edit = { field: "synopsis", word: { synopsis: "Edited" } } as const;
  expect((await editTitle(malId, [edit], operator)).ok).toBe(true);
}

/** `users` and every table from which a chain of foreign keys leads to it. */
async function tablesOfMembers(): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    with recursive reaching(name) as (
      select 'users'::regclass
      union
      select key.conrelid::regclass from pg_constraint key join reaching on key.confrelid = reaching.name
      where key.contype = 'f'
    )
    select name::text from reaching order by 1`);
  return rows.map(({ name }) => name);
}

async function allTables(): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  return rows.map(({ name }) => name);
}

const rowsOf = async (table: string, condition: ReturnType<typeof sql>) =>
  (
    await db.execute<{ row: Record<string, unknown> }>(
      sql`select to_jsonb(one) as row from ${sql.raw(table)} one where ${condition}`,
    )
  ).map(({ row }) => row);
const ownRows = (table: string) =>
  rowsOf(table, table === "users" ? sql`id = ${member.id}::uuid` : sql`user_id = ${member.id}::uuid`);

/** Timestamps are written in several formats. The file has them to the millisecond. */
const comparable = (value: unknown) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : value;

function valuesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(valuesIn);
  return [comparable(value)];
}

test("a table with a path to a member is exported or has a reason to be left out", async () => {
  expect(await tablesOfMembers()).toEqual([...Object.keys(exported), ...Object.keys(notExported)].sort());
});

test("a column that refers to a member is a foreign key, so the row is deleted with the account", async () => {
  const reached = await tablesOfMembers();
  const rows = await db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'account_id', 'email', 'username')`);
  expect([...new Set(rows.map(({ name }) => name))].filter((name) => !reached.includes(name))).toEqual([]);
});

test("every table about members has a row of this member, so that export and deletion are tested on it", async () => {
  const empty: string[] = [];
  for (const table of await tablesOfMembers()) if ((await ownRows(table)).length === 0) empty.push(table);
  expect(empty).toEqual([]);
});

test("the export holds each value of each exported column", async () => {
  const response = await member.request("/api/user/export");
  const file = (await response.json()) as Record<string, unknown>;
  const missing: string[] = [];
  for (const [table, { sections, leftOut }] of Object.entries(exported)) {
    const known = new Set(sections.flatMap((section) => valuesIn(file[section])));
    for (const row of await ownRows(table))
      for (const [column, value] of Object.entries(row)) {
        if (column in leftOut) continue;
        expect(value, `${table}.${column} has no value to look for`).not.toBeNull();
        if (!valuesIn(value).every((one) => isKnown(known, one))) missing.push(`${table}.${column}`);
      }
  }
  expect(missing).toEqual([]);
});

/** Our own pictures are root-relative in the database and absolute in the file. */
const isKnown = (known: Set<unknown>, value: unknown) =>
  known.has(value) ||
  (typeof value === "string" && value.startsWith("/") && known.has(`http://localhost:3000${value}`));

test("after the account is deleted, no row of any table refers to the member", async () => {
  const deleted = await member.request("/api/user/account", { method: "DELETE", json: { password } });
  expect(deleted.status).toBe(200);
  const left: string[] = [];
  for (const table of await allTables())
    for (const name of [member.id, marker]) {
      const rows = await rowsOf(table, sql`one::text ilike ${`%${name}%`}`);
      if (rows.length > 0) left.push(`${table}: ${name}`);
    }
  expect(left).toEqual([]);
  expect(
    (await new Visitor().request("/api/auth/signin", { json: { email: member.email, password } })).status,
  ).toBe(401);
});
