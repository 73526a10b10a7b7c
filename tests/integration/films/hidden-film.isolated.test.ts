import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import type { Member } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** An operator hides a film from everybody, while its title stays visible. */

const folder = temporaryFolder("hidden-film");
Object.assign(process.env, { MEDIA_DIR: folder, FILMS: "members" });
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource, createSubtitles } = await import("#app/domain/playback/playback.server.ts");
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");
const { filmDecisions } = await import("#db/schema/scanning.ts");

const malId = 720_001;
const bytes = transportStream(30);
const page = (episode: number) => `/admin/episode?id=${malId}&episode=${episode}`;

mkdirSync(join(folder, "Show/List"), { recursive: true });
for (const name of ["01.mp4", "02.mp4", "List/0.ts"]) writeFileSync(join(folder, "Show", name), bytes);
writeFileSync(join(folder, "Show/01.en.srt"), "1\n00:00:01,000 --> 00:00:02,000\nRain\n");
writeFileSync(
  join(folder, "Show/List/all.m3u8"),
  "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.ts\n#EXT-X-ENDLIST\n",
);
await importTitles([{ kind: "title", mal_id: malId, title: "A Show", type: "TV", episodes: 3 }]);
for (const [at, path] of ["01.mp4", "02.mp4", "List/all.m3u8"].entries())
  await createSource({ malId, episode: at + 1, url: `media:Show/${path}` });
await createSubtitles({ malId, episode: 1, url: "media:Show/01.en.srt", language: "en" });
const [member, operator] = [await newMember(), await newOperator()];

const filmId = async (path: string) =>
  (await db.select({ id: films.id }).from(films).where(eq(films.path, path)))[0]?.id ?? "";
const hide = (by: InstanceType<typeof Visitor>, film: string, episode = 1) =>
  by.request(page(episode), { form: { intent: "hide-film", film } });
const sourcesOf = async (by: Member, episode: number) => {
  const answer = await by.request(`/api/episodes/getEpisode?mal_id=${malId}&ep=${episode}`);
  return ((await answer.json()) as { data: { sources: unknown[] } }).data.sources;
};
const statusOf = async (by: InstanceType<typeof Visitor>, path: string) => {
  const answer = await by.request(path);
  await answer.arrayBuffer();
  return answer.status;
};

describe("a film that an operator hides", () => {
  test("plays for nobody at any URL, while the other episodes still play", async () => {
    const film = await filmId("Show/01.mp4");
    const addresses = [`/film/${film}`, "/media/Show/01.mp4"];
    const playlist = `/film/${film}/open.m3u`;
    for (const path of [...addresses, playlist]) expect(await statusOf(member, path), path).toBe(200);
    expect(await sourcesOf(member, 1)).not.toEqual([]);
    const html = await (await operator.request(page(1))).text();
    expect(html).toContain(`name="film" value="${film}"`);

    const hidden = await hide(operator, film);
    expect(hidden.status).toBe(200);
    expect(await hidden.text()).toContain("Nobody can find or play the video any more.");
    for (const by of [member, operator])
      for (const path of addresses) expect(await statusOf(by, path), path).toBe(404);
    expect(await statusOf(operator, playlist)).toBe(404);
    expect(await sourcesOf(member, 1)).toEqual([]);
    expect(await sourcesOf(operator, 1)).toEqual([]);
    const proxied = `/api/videoProxy?url=${encodeURIComponent("http://localhost:3000/media/Show/01.mp4")}`;
    expect((await member.request(proxied)).status).not.toBe(200);
    expect(await sourcesOf(member, 2)).not.toEqual([]);
    expect(await statusOf(member, "/media/Show/02.mp4")).toBe(200);
  });

  test("takes the segments of its playlist with it", async () => {
    // A viewer's permission lasts for some seconds, so another viewer checks first.
    expect(await statusOf(await newMember(), "/media/Show/List/0.ts")).toBe(200);
    expect((await hide(operator, await filmId("Show/List/all.m3u8"), 3)).status).toBe(200);
    for (const path of ["/media/Show/List/all.m3u8", "/media/Show/List/0.ts"])
      expect(await statusOf(member, path), path).toBe(404);
    expect(await statusOf(member, "/media/Show/02.mp4")).toBe(200);
  });

  test("plays again after the operator undoes it", async () => {
    const film = await filmId("Show/01.mp4");
    const [decision] = await db.select().from(filmDecisions).where(eq(filmDecisions.filmId, film));
    const form = { intent: "undo", id: decision?.id ?? "" };
    expect((await operator.request("/admin/films", { form })).status).toBe(200);
    // A refusal lasts for some seconds too, so a viewer who was not refused checks.
    expect(await statusOf(await newMember(), "/media/Show/01.mp4")).toBe(200);
  });

  test("can be hidden by operators only", async () => {
    const film = await filmId("Show/02.mp4");
    expect((await hide(member, film, 2)).status).toBe(403);
    expect((await hide(new Visitor(), film, 2)).status).toBe(302);
    expect((await hide(operator, "00000000-0000-4000-8000-000000000000", 2)).status).toBe(404);
    expect(await statusOf(member, "/media/Show/02.mp4")).toBe(200);
  });
});
