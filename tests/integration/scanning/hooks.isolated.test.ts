import { statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Messages from Sonarr, Radarr and other programs, in the form that their documentation gives, start scans of the right
 * folders.
 */

const media = temporaryFolder("hooked-films");
process.env.MEDIA_DIR = media;
const { newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { hookSecrets } = await import("#db/schema/scanning.ts");
const { scanRequests } = await import("#db/schema/scanning.ts");

const episode = "Show Time/Season 1/Show Time - S01E05 - Five WEBDL-1080p.mkv";
const movie = "movies/Quiet Porch (1999)/Quiet Porch (1999).mkv";

for (const path of [episode, movie]) writeOldFilm(media, path, "a film");
const operator = await newOperator();
const secret = await makeSecret("Sonarr in the cellar");
beforeEach(async () => void (await db.delete(scanRequests)));

async function makeSecret(name: string): Promise<string> {
  const made = await operator.request("/admin/films/programs", { form: { intent: "make", name } });
  const [, shown = ""] = / value="([\w-]{32})"/.exec(await made.text()) ?? [];
  return shown;
}

const basic = (password: string) => ({
  Authorization: `Basic ${Buffer.from(`x:${password}`).toString("base64")}`,
});
const send = (program: string, json: unknown, headers: Record<string, string> = basic(secret)) =>
  new Visitor().request(`/api/hooks/${program}`, { method: "POST", json, headers });
const requested = async () => (await db.select().from(scanRequests)).map(({ folder }) => folder).sort();

/** A message in the form of Sonarr 4. */
const sonarr = (eventType: string, more: object = {}) => ({
  series: {
    id: 7,
    title: "Show Time",
    titleSlug: "show-time",
    path: "/data/tv/Show Time",
    tvdbId: 371310,
    tvMazeId: 41469,
    imdbId: "tt10885406",
    type: "anime",
    year: 2020,
    tags: ["anime"],
  },
  episodes: [{ id: 1, episodeNumber: 5, seasonNumber: 1, title: "Five", airDate: "2020-01-05" }],
  episodeFile: {
    id: 1181,
    relativePath: "Season 1/Show Time - S01E05 - Five WEBDL-1080p.mkv",
    path: "/data/tv/Show Time/Season 1/Show Time - S01E05 - Five WEBDL-1080p.mkv",
    quality: "WEBDL-1080p",
    qualityVersion: 1,
    releaseGroup: "Group",
    sceneName: "Show.Time.S01E05",
    size: statSync(join(media, episode)).size,
    dateAdded: "2020-06-10T05:00:00Z",
  },
  isUpgrade: false,
  downloadClient: "qBittorrent",
  eventType,
  instanceName: "Sonarr",
  applicationUrl: "",
  ...more,
});

/** A message in the form of Radarr 5. */
const radarr = (eventType: string) => ({
  movie: {
    id: 11,
    title: "Quiet Porch",
    year: 1999,
    folderPath: "/movies/Quiet Porch (1999)",
    tmdbId: 1,
    imdbId: "tt1",
  },
  movieFile: {
    id: 1,
    relativePath: "Quiet Porch (1999).mkv",
    path: "/movies/Quiet Porch (1999)/Quiet Porch (1999).mkv",
    quality: "Bluray-1080p",
    size: statSync(join(media, movie)).size,
  },
  isUpgrade: false,
  eventType,
  instanceName: "Radarr",
});

describe("a message", () => {
  test("about an import scans the folder of the file, even if the program knows the parent folders by other names", async () => {
    const answer = await send("sonarr", sonarr("Download"));
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { status: "scanning", folders: ["Show Time/Season 1"] },
    ]);
    expect(await requested()).toEqual(["Show Time/Season 1"]);
    const other = await send("radarr", radarr("Download"));
    expect([other.status, await other.json()]).toEqual([
      200,
      { status: "scanning", folders: ["movies/Quiet Porch (1999)"] },
    ]);
  });

  test("about a file that is not here in the stated size scans the folder of the series and gets 202", async () => {
    const size = { episodeFile: { ...sonarr("").episodeFile, size: 123_456_789 } };
    const answer = await send("sonarr", sonarr("Download", size));
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { status: "searching", folders: ["Show Time/Season 1", "Show Time"] },
    ]);
  });

  test.each(["Rename", "EpisodeFileDelete", "SeriesDelete", "ImportComplete", "EventOfNextYear"])(
    "of the event %s scans as well, also with fields that nobody knows",
    async (event) => {
      const more = {
        renamedEpisodeFiles: [{ previousPath: "/x/y.mkv", relativePath: 5 }],
        future: [{ deep: null }],
      };
      expect((await send("sonarr", sonarr(event, more))).ok).toBe(true);
      expect(await requested()).toContain("Show Time/Season 1");
    },
  );

  test("that is only a test changes nothing", async () => {
    const answer = await send("sonarr", { eventType: "Test", series: { id: 1, path: "C:\\testpath" } });
    expect([answer.status, await answer.json()]).toEqual([200, { status: "test", folders: [] }]);
    expect(await requested()).toEqual([]);
  });

  test("that arrives twice starts one scan", async () => {
    for (let times = 0; times < 3; times++) await send("sonarr", sonarr("Download"));
    expect(await requested()).toEqual(["Show Time/Season 1"]);
  });

  test("from any other program names a path, also a Windows path, and an unknown path scans everything", async () => {
    const heard = async (path: string) => {
      const answer = await send("scan", { path });
      return [answer.status, ((await answer.json()) as { folders: string[] }).folders];
    };
    expect(await heard(`/mnt/disk/${episode}`)).toEqual([200, ["Show Time/Season 1"]]);
    expect(await heard(`D:\\Films\\Show Time\\Season 1`)).toEqual([202, ["Show Time/Season 1"]]);
    expect(await heard("/mnt//Show Time//Season 1///")).toEqual([202, ["Show Time/Season 1"]]);
    expect(await heard("/mnt/disk/Nowhere/01.mkv")).toEqual([202, [""]]);
    for (const path of ["../../etc/passwd", "/etc/passwd", "Show Time/../../etc", "."])
      expect(await heard(path)).toEqual([202, [""]]);
  });

  test("in an unknown form is refused", async () => {
    expect((await send("sonarr", { hello: true })).status).toBe(400);
    expect((await send("sonarr", [])).status).toBe(400);
    expect((await send("scan", {})).status).toBe(400);
    expect((await send("lidarr", sonarr("Download"))).status).toBe(404);
    const large = await send("sonarr", { ...sonarr("Download"), filler: "x".repeat(5 * 1024 * 1024) });
    expect(large.status).toBe(413);
    expect(await requested()).toEqual([]);
  });
});

describe("a secret", () => {
  test("is accepted at the end of the URL, and only its digest is stored", async () => {
    expect((await send(`sonarr/${secret}`, sonarr("Test"), {})).status).toBe(200);
    const [row] = await db.select().from(hookSecrets);
    expect(JSON.stringify(row)).not.toContain(secret);
    expect(await (await operator.request("/admin/films/programs")).text()).not.toContain(secret);
  });

  test("that is wrong or missing gets 401", async () => {
    for (const headers of [
      basic("wrong"),
      {},
      { Authorization: "Basic !" },
      { Authorization: `Bearer ${secret}` },
    ])
      expect((await send("sonarr", sonarr("Download"), headers as Record<string, string>)).status).toBe(401);
    expect((await send("sonarr/wrong", sonarr("Test"), {})).status).toBe(401);
    // The body is not read.
    const unread = { method: "POST", body: "{", headers: { "Content-Type": "application/json" } };
    expect((await new Visitor().request("/api/hooks/sonarr", unread)).status).toBe(401);
    expect(await requested()).toEqual([]);
  });

  test("stops working when it is revoked, and other secrets still work", async () => {
    const other = await makeSecret("Radarr");
    expect((await send("radarr", radarr("Test"), basic(other))).status).toBe(200);
    const html = await (await operator.request("/admin/films/programs")).text();
    const id = /name="id" value="([\da-f-]{36})"[\s\S]*?Revoke: Radarr/.exec(html)?.[1] ?? "";
    await operator.request("/admin/films/programs", { form: { intent: "revoke", id } });
    expect((await send("radarr", radarr("Test"), basic(other))).status).toBe(401);
    expect((await send("radarr", radarr("Test"))).status).toBe(200);
  });

  test("can be tried only a limited number of times", async () => {
    const visitor = new Visitor();
    const statuses = new Set<number>();
    for (let times = 0; times < 120; times++)
      statuses.add(
        (
          await visitor.request("/api/hooks/sonarr", {
            method: "POST",
            json: {},
            headers: basic(`guess ${times}`),
          })
        ).status,
      );
    expect([...statuses].sort()).toEqual([401, 429]);
  });
});
