import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { postForm } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Operators turn films that no catalog has into local titles. */

const folder = temporaryFolder("attic-films");
process.env.MEDIA_DIR = folder;
process.env.FILMS = "members";
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { films } = await import("#db/schema/films.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { giveFilmsLocalTitle } = await import("#app/domain/local-titles/local-titles.server.ts");
const { listSources } = await import("#app/domain/playback/playback.server.ts");
const { countUndecidedFilms, listDecisions, readFolderFacts, runRequestedScans } = await import(
  "#app/domain/scanning/scanning.server.ts"
);
const { firstLocalMalId } = await import("#app/domain/visibility/visibility.ts");

const operator = await newOperator();

const put = (path: string) => writeOldFilm(folder, path);
const post = (form: Record<string, string>, status?: number) =>
  postForm(operator, "/admin/films", form, status);
async function scan() {
  await post({ intent: "scan" });
  await runRequestedScans({});
}
const found = async () =>
  (await listSources())
    .filter(({ malId }) => malId >= firstLocalMalId)
    .map(({ malId, title, episode, url }) => ({ malId, text: `${title} ${episode} ${url}` }));
const idOf = async (path: string) =>
  (await db.select({ id: films.id }).from(films).where(eq(films.path, path)))[0]?.id ?? "";

test("a folder that no catalog has becomes a title that members find and watch, including later films", async () => {
  for (const path of ["Zzyzx Attic Tapes/01.webm", "Zzyzx Attic Tapes/02.webm", "qqq loose - 07.webm"])
    put(path);
  await scan();
  expect(await found()).toEqual([]);
  const page = await (await operator.request("/admin/films/decide?folder=Zzyzx+Attic+Tapes")).text();
  expect(page).toContain("In no catalog");
  expect(page).toMatch(/name="name"[^>]* value="Zzyzx Attic Tapes"/);

  const made = { intent: "folder-local-title", folder: "Zzyzx Attic Tapes", name: "Zzyzx Attic Tapes" };
  await post({ ...made, name: " " }, 400);
  await post({ ...made, folder: "No such folder" }, 404);
  await post({ ...made, folder: "" }, 400);
  expect(await found()).toEqual([]);
  expect(await post({ ...made, shift: "0" })).toContain("Members find it");
  await runRequestedScans({});
  put("Zzyzx Attic Tapes/03.webm");
  await scan();
  const sources = await found();
  expect(sources.map(({ text }) => text)).toEqual(
    [1, 2, 3].map((number) => `Zzyzx Attic Tapes ${number} media:Zzyzx Attic Tapes/0${number}.webm`),
  );

  const [malId] = [...new Set(sources.map((source) => source.malId))];
  // A film elsewhere belongs to the same title if it gets the same name.
  const film = await idOf("qqq loose - 07.webm");
  await post({ intent: "local-title", film, name: "zzyzx attic tapes", episode: "4", last: "" });
  await runRequestedScans({});
  expect((await listSources({ malId: malId ?? 0 })).map(({ episode }) => episode)).toEqual([1, 2, 3, 4]);

  const searched = "/browse?q=Zzyzx+Attic";
  expect(await (await operator.request(searched)).text()).toContain(`/anime/${malId}/`);
  const member = await newMember();
  expect(await (await member.request(searched)).text()).toContain(`/anime/${malId}/`);
  expect(await (await new Visitor().request(searched)).text()).not.toContain(`/anime/${malId}/`);
  const episode = await member.request(`/api/episodes/getEpisode?mal_id=${malId}&ep=4`);
  expect(((await episode.json()) as { data: { sources: unknown[] } }).data.sources).toHaveLength(1);
  expect(await (await member.request("/")).text()).toContain("Zzyzx Attic Tapes");
  expect(await (await new Visitor().request("/")).text()).not.toContain("Zzyzx");
});

test("after Undo the videos wait for a decision again, and no scan gives them the title of their name", async () => {
  const name = "Vexing Quilt Reels";
  put(`${name}/01.webm`);
  put(`${name}/02.webm`);
  await scan();
  const before = await countUndecidedFilms();
  const decide = async () => {
    const made = await post({ intent: "folder-local-title", folder: name, name, shift: "0" });
    await runRequestedScans({});
    expect((await countUndecidedFilms()).toDecide).toBe(before.toDecide - 2);
    return /name="id" value="([^"]+)"/.exec(made)?.[1] ?? "";
  };
  const undo = async (id: string) => {
    expect(await post({ intent: "undo", id })).toContain("Undone.");
    await scan();
    expect((await countUndecidedFilms()).toDecide).toBe(before.toDecide);
    expect((await found()).filter(({ text }) => text.startsWith(name))).toEqual([]);
  };
  for (let times = 0; times < 2; times++) await undo(await decide());
  const about = (await listDecisions(9)).filter(({ folder }) => folder === name);
  expect(about).toMatchObject([{ kind: "not_title" }]);
});

const plotOf = async (malId: number) =>
  (await db.select().from(titles).where(eq(titles.malId, malId)))[0]?.synopsis;

/** If films are for members, a picture or text from the folder would reveal to visitors that a film is here. */
test("only local titles use files beside their films", async () => {
  await importTitles([{ kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 }]);
  for (const name of ["Cowboy Bebop", "Zzyx Unheard Of"]) {
    put(join(name, "01.mkv"));
    writeFileSync(join(folder, name, "tvshow.nfo"), "<tvshow><plot>A plot.</plot></tvshow>");
  }
  await scan();
  const made = await giveFilmsLocalTitle(
    "Zzyx Unheard Of",
    { folder: "Zzyx Unheard Of", shift: 0 },
    { kind: "command", ip: null },
  );
  if (!made.ok) throw new Error(made.message);
  await scan();
  await readFolderFacts();
  expect([await plotOf(1), await plotOf(made.value.malId)]).toEqual([null, "A plot."]);
});
