import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Files in MEDIA_DIR become episodes that play, by their names. */

const folder = temporaryFolder("films");
process.env.MEDIA_DIR = folder;
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const playback = await import("#app/domain/playback/playback.server.ts");
const scanningDoor = await import("#app/domain/scanning/scanning.server.ts");
const { tool } = await import("#app/cli/sources.ts");
const { requestScan } = await import("#app/domain/films/films.server.ts");
const { endChild } = await import("#app/platform/process/child-life.server.ts");
const { exitCodeOf } = await import("#app/platform/process/run-tool.server.ts");
const { runOnOneInstance } = await import("#db/one-instance.server.ts");
const { spawnTool } = await import("#tests/support/site/command-line-tools.ts");
const { runToolInProcess } = await import("#tests/support/site/tools-in-process.ts");
const { catalogVersion } = await import("#app/domain/catalog-version/catalog-version.server.ts");

const titles = [
  { kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26, year: 1998 },
  { kind: "title", mal_id: 2, title: "Shingeki no Kyojin", title_english: "Attack on Titan", episodes: 25 },
  {
    kind: "title",
    mal_id: 3,
    title: "Shingeki no Kyojin Season 2",
    title_english: "Attack on Titan Season 2",
  },
  { kind: "title", mal_id: 4, title: "Akira", type: "Movie", episodes: 1, year: 1988 },
];
const films = [
  "Akira (1988).mkv",
  "Attack on Titan/Season 2/03.mp4",
  "Attack on Titan/Season 9/01.mp4",
  "Cowboy Bebop/01.en.vtt",
  "Cowboy Bebop/01.mp4",
  "Cowboy Bebop/Subs/01/2_English.forced.ass",
  "Cowboy Bebop/NCOP.mp4",
  "Cowboy Bebop/02/0.ts",
  "Cowboy Bebop/02/low.m3u8",
  "Cowboy Bebop/02/master.m3u8",
  "Nobody Knows This - 04.mp4",
  "notes.txt",
  ".hidden/Cowboy Bebop - 09.mp4",
];

beforeAll(async () => {
  await importTitles(titles);
  for (const film of films) {
    mkdirSync(dirname(join(folder, film)), { recursive: true });
    writeFileSync(join(folder, film), "film");
  }
});

const proposals = async (path = folder) => {
  const outcome = await playback.proposeSources(path);
  if (!outcome.ok) throw new Error(outcome.message);
  return outcome.value.proposals;
};

const scan = async () => {
  const scanned = await scanningDoor.scanLibrary({ folder: "", reason: "command" }, { isPatient: false });
  return scanned?.ok ? scanned.value : scanned;
};

describe("scanning a folder", () => {
  test("matches files to episodes by their names, and marks those that a person must decide", async () => {
    const lines = (await proposals()).map(({ path, type, match, episode, state }) =>
      [path, type, match?.malId ?? null, episode, state].join(" | "),
    );
    expect(lines.sort()).toEqual(
      [
        "Akira (1988).mkv | file | 4 |  | new",
        "Attack on Titan/Season 2/03.mp4 | mp4 | 3 | 3 | new",
        "Attack on Titan/Season 9/01.mp4 | mp4 | 3 | 1 | unsure",
        "Cowboy Bebop/01.en.vtt | captions | 1 | 1 | new",
        "Cowboy Bebop/01.mp4 | mp4 | 1 | 1 | new",
        "Cowboy Bebop/Subs/01/2_English.forced.ass | captions | 1 | 1 | new",
        "Cowboy Bebop/02/master.m3u8 | hls | 1 | 2 | new",
        "Cowboy Bebop/NCOP.mp4 | mp4 | 1 |  | extra",
        "Nobody Knows This - 04.mp4 | mp4 |  | 4 | unmatched",
      ].sort(),
    );
    const below = await proposals(join(folder, "Cowboy Bebop"));
    expect(below.map(({ url }) => url)).toContain("media:Cowboy Bebop/01.mp4");
  });

  test("registers sure matches once, and their sources play", async () => {
    const before = await catalogVersion();
    expect(await scan()).toMatchObject({ found: 7, registered: 4, unsure: 2 });
    const registered = await catalogVersion();
    // A slow scan registers films in several steps.
    expect(registered).toBeGreaterThan(before);
    expect(await scan()).toMatchObject({ found: 7, registered: 0, unsure: 2 });
    expect(await catalogVersion()).toBe(registered);
    const answer = await request("/api/episodes/getEpisode?mal_id=1&ep=1");
    const episode = ((await answer.json()) as { data: { sources: { url: string }[]; subtitles: unknown[] } })
      .data;
    expect(episode.subtitles).toEqual([
      {
        url: expect.stringMatching(/^http:\/\/localhost:3000\/captions\/[\da-f-]{36}\.vtt$/),
        language: "en",
        label: "English",
      },
      {
        url: expect.stringMatching(/\.vtt$/),
        language: "en",
        label: "English (signs and songs)",
      },
    ]);
    const [source] = episode.sources;
    expect((await request(new URL(source?.url ?? "").pathname)).status).toBe(200);
  });

  test("a folder outside MEDIA_DIR is invalid, and a missing folder is not_found", async () => {
    expect(await playback.proposeSources(tmpdir())).toMatchObject({ ok: false, reason: "invalid" });
    expect(await playback.proposeSources(join(folder, "nothing"))).toMatchObject({ reason: "not_found" });
  });

  test("a command waits until the running scan has ended", async () => {
    const streams = {
      stdin: Readable.from([""]),
      stdout: new PassThrough().resume(),
      stderr: new PassThrough(),
    };
    const said = once(streams.stderr, "data");
    let scanning = Promise.resolve(-1);
    await runOnOneInstance("scan of films", async () => {
      scanning = exitCodeOf(tool, ["scan", join(folder, "Cowboy Bebop")], streams);
      expect(String(await said)).toContain("under way");
    });
    expect(await scanning).toBe(0);
  });

  test("the scanner of the site says which folder it is in", async () => {
    const film = join(folder, "Cowboy Bebop", "Session 3", "03.mkv");
    mkdirSync(dirname(film));
    writeFileSync(film, "film");
    const longAgo = new Date("2020-01-01");
    utimesSync(film, longAgo, longAgo);
    await requestScan({ folder: "", reason: "command" });
    const scanner = spawn(process.execPath, [resolve("build/server/sources.js"), "scan", "--for-site"], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    let folders: string[] = [];
    scanner.on("message", ({ at }: { at: string }) => {
      folders = [...folders, at];
    });
    await expect.poll(() => folders).toContain("Cowboy Bebop/Session 3");
    expect(folders[0]).toBe("");
    await endChild(scanner);
    rmSync(dirname(film), { recursive: true });
    await scan();
  });
});

describe("registering by hand", () => {
  const at = { malId: 4, episode: 1 };

  test("adds a new URL at the end, updates a known one, and deletes a source once", async () => {
    const added = await playback.createSource({ ...at, url: "https://films.example.org/akira.m3u8?t=1" });
    if (!added.ok) throw new Error(added.message);
    expect(added.value.isNew).toBe(true);
    const again = await playback.createSource({
      ...at,
      url: "https://films.example.org/akira.m3u8?t=1",
      label: "HD",
    });
    expect(again).toEqual({ ok: true, value: { id: added.value.id, isNew: false } });
    const listed = await playback.listSources(at);
    expect(listed.map(({ type, label, position }) => [type, label, position])).toEqual([
      ["file", null, 0],
      ["hls", "HD", 1],
    ]);
    expect(await playback.updateSource(added.value.id, { label: "4K" })).toMatchObject({ ok: true });
    expect(await playback.deleteSource(added.value.id)).toMatchObject({ ok: true });
    expect(await playback.deleteSource(added.value.id)).toMatchObject({ reason: "not_found" });
    expect(await playback.deleteSource("x'; drop table titles")).toMatchObject({ reason: "not_found" });
  });

  test.each([
    "javascript:alert(1)",
    "//evil.test/x",
    "/\\evil.test",
    "ftp://x",
    "media:",
    "media:../film.mp4",
    "media:Show/../../film.mp4",
    "media:Show/.hidden.mp4",
    "",
    "http://[",
    "a\nb",
  ])("the URL %j is invalid", async (url) => {
    expect(await playback.createSource({ ...at, url })).toMatchObject({ ok: false, reason: "invalid" });
  });

  test("an unknown title is not_found, and an invalid number is invalid", async () => {
    const url = "/film/1/master.m3u8";
    expect(await playback.createSource({ malId: 77, episode: 1, url })).toMatchObject({
      reason: "not_found",
    });
    expect(await playback.createSource({ malId: 4, episode: 0, url })).toMatchObject({ reason: "invalid" });
    expect(await playback.createSource({ malId: Number.NaN, episode: 1, url })).toMatchObject({ ok: false });
  });

  test("skip segments are replaced together, and one that ends before its start is invalid", async () => {
    const intro = { kind: "intro" as const, start: 10, end: 90 };
    expect(await playback.replaceSkips(at, [intro])).toMatchObject({ ok: true });
    expect(await playback.replaceSkips(at, [intro, { kind: "outro", start: 100, end: 120 }])).toMatchObject({
      ok: true,
    });
    expect(await playback.replaceSkips(at, [{ ...intro, end: 5 }])).toMatchObject({ reason: "invalid" });
    const answer = await request("/api/episodes/getEpisode?mal_id=4&ep=1");
    expect(((await answer.json()) as { data: { skip: unknown[] } }).data.skip).toHaveLength(2);
  });
});

describe("npm run sources", () => {
  const run = (...words: string[]) => runToolInProcess(tool, words);

  test("scans a folder and lists a title's sources", async () => {
    const scanned = await spawnTool("sources", ["scan", folder, "--dry-run", "--json"]);
    const report = JSON.parse(scanned.stdout) as Record<"proposals" | "passedOver", { path: string }[]>;
    expect(report).toMatchObject({ added: 0, proposals: expect.any(Array), passedOverMore: 0 });
    const proposed = new Set(report.proposals.map(({ path }) => path));
    expect(report.passedOver.filter(({ path }) => proposed.has(path))).toEqual([]);
    const listed = JSON.parse((await run("list", "1", "--json")).stdout) as { url: string }[];
    expect(listed.map(({ url }) => url)).toContain("media:Cowboy Bebop/01.mp4");
  });

  test("an unknown command or id exits with 2, and an unsafe URL with 1", async () => {
    const ids = ["x", "1.5", "-1", "3000000000"].map((id) => ["list", id]);
    const nonsense = await Promise.all(
      [["frobnicate"], ["add", "1", "1"], ["remove", "1", "2"], ...ids].map((words) => run(...words)),
    );
    for (const ran of nonsense) expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(await run("add", "1", "1", "javascript:0", "--json")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^The address of a video must be .*\n$/),
    });
  });

  test("a file of headers that cannot be read is named", async () => {
    const missing = join(folder, "no-such-headers");
    await expect(run("headers", "x", "--header-file", missing)).rejects.toThrow(
      `${missing} cannot be read (ENOENT)`,
    );
  });
});
