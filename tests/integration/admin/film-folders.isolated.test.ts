import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** An operator chooses folders of films on a site with the embedded database. */

const place = temporaryFolder("chosen-folders");
const films = join(place, "films");
process.env.MEDIA_BROWSE = place;
process.env.MEDIA_DIR = "";
process.env.DATABASE_URL = "";
const { newMember, newOperator } = await import("#tests/support/requests/visitor.ts");
const { migrateWithBackup } = await import("#app/domain/backup/backup.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { loadFilmRoots, hasFilmRoots } = await import("#app/domain/films/films.server.ts");
const { scanLibrary } = await import("#app/domain/scanning/scanning.server.ts");
const { db } = await import("#db/client.server.ts");
const { sessions } = await import("#db/schema/accounts.ts");
const { films: filmRows } = await import("#db/schema/films.ts");

const page = "/admin/setup";

const put = (path: string, content?: string) => writeOldFilm(place, path, content);

await migrateWithBackup();
await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
put("films/Cowboy Bebop/01.mkv");
put("films/Cowboy Bebop/poster.jpg", "a picture");
put("films/Cowboy Bebop/notes.html", "<script>");
put("films/Cowboy Bebop/keys.txt", "secret");
put("other/Cowboy Bebop/02.mkv", "another film, of another length");
const operator = await newOperator();

const read = (path: string) => htmlOf(operator.request(path));
const send = (form: Record<string, string>) => operator.request(page, { form });
const choose = (folder: string) => send({ intent: "choose", folder });
const statusOf = async (path: string) => (await operator.request(path)).status;
const filmOf = async (path: string) =>
  (await db.select().from(filmRows).where(eq(filmRows.path, path)))[0] ?? null;

test("only an operator sees folders, and only after a sign-in within ten minutes", async () => {
  const member = await newMember();
  expect((await member.request(page)).status).toBe(403);
  expect((await member.request(page, { form: { intent: "choose", folder: films } })).status).toBe(403);
  const signedInAt = (minutesAgo: number) =>
    db
      .update(sessions)
      .set({ signedInAt: new Date(Date.now() - minutesAgo * 60_000) })
      .where(eq(sessions.userId, operator.id));
  await signedInAt(11);
  expect(await read(`${page}?at=${place}`)).toContain("more than ten minutes ago");
  expect(await read(`${page}?at=${place}`)).not.toContain("films</bdi>");
  expect((await choose(films)).status).toBe(403);
  expect(hasFilmRoots()).toBe(false);
  await signedInAt(1);
  const listed = await read(`${page}?at=${place}`);
  expect(listed).toContain("films</bdi>");
  expect(listed).not.toContain("MEDIA_BROWSE");
  expect(await read(page)).toContain("Set the variable MEDIA_BROWSE to it, and start the site again.");
  expect(await read(`${page}?at=${films}/Cowboy Bebop`)).not.toContain("keys.txt");
});

test("the page offers to sign in again, and comes back to the folders", async () => {
  const other = await newOperator();
  await db
    .update(sessions)
    .set({ signedInAt: new Date(Date.now() - 11 * 60_000) })
    .where(eq(sessions.userId, other.id));
  expect(await (await other.request(page)).text()).toContain("Sign in again");
  const left = await other.request(page, { form: { intent: "sign-in-again" } });
  expect(left.headers.get("Location")).toBe("/signin?redirectTo=%2Fadmin%2Fsetup");
  expect((await other.request(page)).status).toBe(302);
});

test("a folder is chosen and scanned, and serves only films and their side files", async () => {
  expect(await read("/admin/films")).toContain("The site has no media folder yet.");
  expect(await read(`${page}?step=found`)).toContain("There is no media folder yet");
  for (const bad of [
    "/",
    "/etc",
    `${films}/../../..`,
    `${films}/Cowboy Bebop/keys.txt`,
    "x",
    `${place}/none`,
  ])
    expect([403, 404]).toContain((await choose(bad)).status);
  const chosen = await choose(films);
  expect([chosen.status, chosen.headers.get("Location")]).toEqual([302, "/admin/setup?step=found"]);
  expect(await read(page)).toContain(`${films}</bdi><span class="quiet">1 video<`);
  expect((await choose(join(films, "Cowboy Bebop"))).status).toBe(409);
  expect(await read("/admin/events")).toContain(`Media folder chosen: ${films}`);
  expect(await scanLibrary({ folder: "", reason: "operator" }, { isPatient: false })).toMatchObject({
    value: { found: 1, registered: 1 },
  });
  const film = await filmOf("Cowboy Bebop/01.mkv");
  expect(await statusOf(`/film/${film?.id}`)).toBe(200);
  expect(await statusOf("/media/Cowboy%20Bebop/01.mkv")).toBe(200);
  for (const name of ["notes.html", "keys.txt"])
    expect(await statusOf(`/media/Cowboy%20Bebop/${name}`)).toBe(404);
  symlinkSync("keys.txt", join(films, "Cowboy Bebop/keys.mkv"));
  expect(await statusOf("/media/Cowboy%20Bebop/keys.mkv")).toBe(404);
});

test("a chosen folder replaced by a link to elsewhere serves nothing, also after the next start", async () => {
  const film = await filmOf("Cowboy Bebop/01.mkv");
  renameSync(films, `${films} elsewhere`);
  symlinkSync("/etc", films);
  expect(await statusOf(`/film/${film?.id}`)).toBe(404);
  expect(await statusOf("/media/hosts")).toBe(404);
  expect(await scanLibrary({ folder: "", reason: "operator" })).toMatchObject({ ok: false });
  await loadFilmRoots();
  expect(await statusOf("/media/hosts")).toBe(404);
  expect(hasFilmRoots()).toBe(false);
  expect(await read(page)).toContain("It is not used");
  renameSync(films, `${films} link`);
  renameSync(`${films} elsewhere`, films);
  await loadFilmRoots();
  expect(await statusOf(`/film/${film?.id}`)).toBe(200);
});

test("removing a folder loses no film, and choosing it again restores its number", async () => {
  const film = await filmOf("Cowboy Bebop/01.mkv");
  await choose(join(place, "other"));
  await send({ intent: "remove", number: "1" });
  await scanLibrary({ folder: "", reason: "operator" }, { isPatient: false });
  expect((await filmOf("Cowboy Bebop/01.mkv"))?.goneAt).not.toBeNull();
  expect(await filmOf(".2/Cowboy Bebop/02.mkv")).not.toBeNull();
  expect(await statusOf(`/film/${film?.id}`)).toBe(404);
  await choose(films);
  await scanLibrary({ folder: "", reason: "operator" }, { isPatient: false });
  expect(await filmOf("Cowboy Bebop/01.mkv")).toMatchObject({
    id: film?.id,
    goneAt: null,
    state: "registered",
  });
  expect(await statusOf(`/film/${film?.id}`)).toBe(200);
});
