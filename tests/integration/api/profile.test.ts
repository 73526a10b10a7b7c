import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { defaultPreferences } from "#app/domain/accounts/accounts.ts";
import { preferencesOnWire } from "#app/wire/preferences.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { dataOf, refusalOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

/** The member whose requests are refused. One is enough, because no refused request changes anything. */
const refusedMember = await newMember();

const path = "/api/user/profile";
type Plain = Record<string, unknown>;
const save = (member: Visitor, json: unknown) => member.request(path, { json });
const profile = (member: Visitor) => dataOf<Plain>(member.request(path));
const required = { name: "Mio", last_name: "Akiyama", gender: "Female" };
const rowOf = async (member: { id: string }) =>
  (await db.select().from(users).where(eq(users.id, member.id)))[0]!;

const everything = {
  ...required,
  birthday: "1992-02-29",
  avatar: "https://pictures.example/mio.png",
  favorite_animes: [1, "20", 999_999],
  watched_animes: ["5680"],
  favorite_genres: ["sci-fi", "Slice of Life", "slice_of_life"],
  favorite_studios: ["Kyoto Animation", " Kyoto Animation "],
  frequency: "daily",
  fanatic_level: "hardcore_otaku",
  preferred_format: "no_preference",
};
const canonical = {
  ...required,
  birthday: "1992-02-29",
  avatar_url: "https://pictures.example/mio.png",
  favorite_animes: [1, 20, 999_999],
  watched_animes: [5680],
  favorite_genres: ["Sci-Fi", "Slice of Life"],
  favorite_studios: ["Kyoto Animation"],
  frequency_of_watch: "Daily",
  fanatic_level: "Hardcore Otaku",
  preferred_format: "No preference",
};

test("null clears each list of the profile and each of the other tastes", async () => {
  const member = await newMember();
  await dataOf(save(member, everything));
  const lists = ["favorite_animes", "watched_animes", "favorite_genres", "favorite_studios"];
  const cleared = Object.fromEntries(lists.map((name) => [name, null]));
  const empty = Object.fromEntries(lists.map((name) => [name, []]));
  expect(await dataOf(save(member, { ...required, ...cleared, frequency: null }))).toMatchObject(empty);
  expect(await profile(member)).toMatchObject({
    ...empty,
    frequency_of_watch: null,
    fanatic_level: "Hardcore Otaku",
  });
});

test("a save answers with the stored form of what was sent, and GET answers with the whole profile", async () => {
  const member = await newMember();
  const saved = await dataOf<Plain>(save(member, everything));
  const { updated_at } = saved;
  expect(saved).toEqual({
    ...canonical,
    avatar: canonical.avatar_url,
    frequency: "Daily",
    id: member.id,
    email: member.email,
    updated_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
  expect(await profile(member)).toEqual({
    ...canonical,
    id: member.id,
    email: member.email,
    user_name: member.username,
    banner_image: null,
    created_at: expect.any(String),
    updated_at,
    preferences: preferencesOnWire(defaultPreferences),
  });
});

test("fields that are not sent stay, empty ones are cleared, and the answer holds only what was sent", async () => {
  const member = await newMember();
  await dataOf(save(member, everything));
  const saved = await dataOf<Plain>(save(member, { ...required, name: "Mio-chan" }));
  expect(Object.keys(saved).sort()).toEqual(["email", "gender", "id", "last_name", "name", "updated_at"]);
  expect(await profile(member)).toMatchObject({ ...canonical, name: "Mio-chan" });
  await dataOf(save(member, { ...required, favorite_animes: [], frequency: null, birthday: null }));
  expect(await profile(member)).toMatchObject({
    favorite_animes: [],
    frequency_of_watch: null,
    birthday: null,
    watched_animes: [5680],
  });
});

const spelledAs: [string, string, string[]][] = [
  ["gender", "Female", ["female", "FEMALE", "Female"]],
  ["gender", "Other", ["other"]],
  ["frequency", "Occasionally", ["occasionally", "OCCASIONALLY"]],
  ["frequency_of_watch", "Rarely", ["rarely"]],
  ["fanatic_level", "Casual Viewer", ["casual viewer", "casual_viewer", "Casual-Viewer"]],
  ["preferred_format", "TV", ["tv", "Tv"]],
  ["preferred_format", "No preference", ["no preference", "NO_PREFERENCE"]],
];
test.each(spelledAs)("%s is saved as %s when sent as %j", async (field, word, spellings) => {
  const member = await newMember();
  for (const spelling of spellings)
    expect(await dataOf(save(member, { ...required, [field]: spelling })), spelling).toMatchObject({
      [field]: word,
    });
});

test("a birthday with a time is saved as a date", async () => {
  const member = await newMember();
  const saved = await dataOf(save(member, { ...required, birthday: "2000-05-06T23:30:00.000Z" }));
  expect(saved).toMatchObject({ birthday: "2000-05-06" });
});

test.each([
  {},
  null,
  [],
  { ...required, name: undefined },
  { ...required, last_name: undefined },
  { ...required, gender: undefined },
  { ...required, name: "Mi" },
  { ...required, name: "  M  " },
  { ...required, name: "x".repeat(65) },
  { ...required, name: "Mio\u202eoiM" },
  { ...required, name: "M\0o" },
  { ...required, name: 123 },
  { ...required, last_name: "" },
  { ...required, last_name: " " },
  { ...required, gender: "unknown" },
  { ...required, gender: "" },
  { ...required, gender: 1 },
  { ...required, birthday: "2023-02-29" },
  { ...required, birthday: "1899-12-31" },
  { ...required, birthday: "2999-01-01" },
  { ...required, birthday: "01.02.2000" },
  { ...required, birthday: "" },
  { ...required, birthday: 2000 },
  { ...required, avatar: "javascript:alert(1)" },
  { ...required, avatar: "data:image/png;base64,AAAA" },
  { ...required, avatar: "blob:https://x.example/1" },
  { ...required, avatar: "https://user:secret@x.example/a.png" },
  { ...required, avatar: "not an address" },
  { ...required, avatar: "/etc/passwd" },
  { ...required, avatar: `${origin}/ipfs/bafkreibjhvn2mcommfeqetsrbhicufp2fs35fgjsihpmzjb5n3arjnuu4m` },
  { ...required, avatar: `https://x.example/${"a".repeat(2048)}` },
  { ...required, avatar: "" },
  { ...required, favorite_animes: "1,2" },
  { ...required, favorite_animes: [0] },
  { ...required, favorite_animes: [-1] },
  { ...required, favorite_animes: [1.5] },
  { ...required, favorite_animes: ["one"] },
  { ...required, watched_animes: [2_147_483_648] },
  { ...required, watched_animes: [[1]] },
  { ...required, favorite_genres: ["Accounting"] },
  { ...required, favorite_genres: "Action" },
  { ...required, favorite_studios: [1] },
  { ...required, favorite_studios: ["x".repeat(201)] },
  { ...required, frequency: "hourly" },
  { ...required, fanatic_level: "Expert" },
  { ...required, preferred_format: "VHS" },
])("%j gets 400 and changes nothing", async (json) => {
  const before = await rowOf(refusedMember);
  const refusal = await refusalOf(save(refusedMember, json));
  expect(refusal.status).toBe(400);
  expect(await rowOf(refusedMember)).toEqual(before);
});

test("fields that a member may not set are ignored", async () => {
  const [member, victim] = [await newMember(), await newMember()];
  const [before, others] = [await rowOf(member), await rowOf(victim)];
  const forged = {
    id: victim.id,
    user_id: victim.id,
    userId: victim.id,
    email: "thief@example.org",
    emailVerifiedAt: "2020-01-01T00:00:00Z",
    role: "operator",
    disabled: false,
    username: "root",
    createdAt: "1999-01-01T00:00:00Z",
    parentalControl: false,
    hash: "x",
  };
  await dataOf(save(member, { ...required, ...forged }));
  await dataOf(
    member.request("/api/saveUserPreferences", {
      json: { enfasis: "#123456", ...forged, parentalControl: true },
    }),
  );
  await dataOf(
    member.request("/api/saveImage", {
      json: { avatar: "https://x.example/a.png", ...forged, username: undefined },
    }),
  );
  const after = await rowOf(member);
  const own = [
    "id",
    "email",
    "emailVerifiedAt",
    "role",
    "disabled",
    "username",
    "createdAt",
    "parentalControl",
  ] as const;
  for (const field of own) expect(after[field], field).toEqual(before[field]);
  expect(await rowOf(victim)).toEqual(others);
});

test("the session of a disabled account gets 401", async () => {
  const member = await newMember();
  await db.update(users).set({ disabled: true }).where(eq(users.id, member.id));
  expect((await refusalOf(member.request(path))).status).toBe(401);
});

const image = "/api/saveImage";
test("saveImage accepts the URL of an avatar alone, or any of avatar, banner and name, and null removes a picture", async () => {
  const member = await newMember();
  const avatar = "https://pictures.example/a.png";
  expect(await dataOf(member.request(image, { json: avatar }))).toEqual({
    id: member.id,
    name: member.username,
    avatar_url: avatar,
    banner_image: null,
    updated_at: expect.stringMatching(/Z$/),
  });
  const banner_image = "http://pictures.example/b.webp?x=1";
  expect(await dataOf(member.request(image, { json: { banner_image } }))).toMatchObject({
    avatar_url: avatar,
    banner_image,
  });
  for (const name of ["name", "username", "user_name"])
    expect(await dataOf(member.request(image, { json: { [name]: `By ${name}` } }))).toMatchObject({
      name: `By ${name}`,
      avatar_url: avatar,
      banner_image,
    });
  expect((await rowOf(member)).username).toBe(member.username);
  expect(await dataOf(member.request(image, { json: { banner_image: null } }))).toMatchObject({
    avatar_url: avatar,
    banner_image: null,
  });
  expect(await dataOf(member.request(image, { json: { avatar: null } }))).toMatchObject({ avatar_url: null });
});

test("saveImage names the field of the wrong kind", async () => {
  expect(await refusalOf(refusedMember.request(image, { json: { avatar: 5 } }))).toMatchObject({
    status: 400,
    issues: [{ path: "avatar", message: "must be a text" }],
  });
});

test.each([
  {},
  null,
  [],
  7,
  "",
  "ftp://x.example/a.png",
  "http:/x.example/a.png",
  "https:///x.example/a.png",
  { avatar: "" },
  { avatar: 1 },
  { name: "ab" },
  { banner_image: "javascript:0" },
])("saveImage with %j gets 400", async (json) => {
  expect((await refusalOf(refusedMember.request(image, { json }))).status).toBe(400);
  expect((await rowOf(refusedMember)).avatarUrl).toBeNull();
});

test("our URL of a stored picture is saved as a path, sent as an absolute URL, and served", async () => {
  const member = await newMember();
  const dot = "data:image/gif;base64,R0lGODdhAQABAIEAAP///wAAAAAAAAAAACwAAAAAAQABAAAIBAABBAQAOw==";
  const stored = await dataOf<string>(
    member.request("/api/uploadImage", { json: { image: dot, filename: "dot.gif" } }),
  );
  expect(await dataOf(member.request(image, { json: stored }))).toMatchObject({ avatar_url: stored });
  expect((await rowOf(member)).avatarUrl).toBe(new URL(stored).pathname);
  expect((await request(new URL(stored).pathname)).status).toBe(200);
  const session = await dataOf<{ user: Plain }>(member.request("/api/auth/session"));
  expect(session.user.avatar).toBe(stored);
  expect(await dataOf(save(member, { ...required, avatar: new URL(stored).pathname }))).toMatchObject({
    avatar: stored,
  });
});
