import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Players outside of the browser play the addresses that members get, and no log holds what signs them. */

const word = "zqxjkvunlikely";
const folder = temporaryFolder("signed");
const films = join(folder, "films");
mkdirSync(join(films, word), { recursive: true });
makeFilm(join(films, word), `Bleach - 1 ${word}.mkv`, { ...matroskaFilms["H.264 and AAC"], seconds: 6 });
const site = await startSite({ MEDIA_DIR: films, FILMS: "members", SIGNUPS: "open", LOG_LEVEL: "debug" });
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["add", "269", "1", `media:${word}/Bleach - 1 ${word}.mkv`]);

const episodePath = "/api/episodes/getEpisode?mal_id=269&ep=1";
let cookie = "";
let addresses: string[] = [];

beforeAll(async () => {
  const account = { username: "Aki", email: "aki@example.org", password: "Abc123!x" };
  const signedUp = await fetch(`${site.origin}/api/auth/signup`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(account),
  });
  expect(signedUp.status).toBe(201);
  cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const answer = await fetch(site.origin + episodePath, { headers: { Cookie: cookie } });
  const { data } = (await answer.json()) as { data: { sources: { url: string }[] } };
  addresses = data.sources.map(({ url }) => url);
});

const secondsOf = (address: string) =>
  Number(
    execFileSync("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", address], {
      encoding: "utf8",
      timeout: 60_000,
    }),
  );
/** Otherwise ffmpeg complains about the times of frames that it made. */
const asItIs = ["-fps_mode", "passthrough", "-enc_time_base", "-1"];
const decode = (...words: string[]) =>
  spawnSync("ffmpeg", ["-v", "error", "-nostdin", ...words, ...asItIs, "-f", "null", "-"], {
    encoding: "utf8",
    timeout: 100_000,
  });

test("ffmpeg plays the playlist and the file to their ends", () => {
  expect(addresses.length).toBe(2);
  for (const address of addresses) {
    expect(address).toContain("/signed/");
    expect(secondsOf(address)).toBeCloseTo(6, 0);
    expect(decode("-i", address)).toMatchObject({ status: 0, stderr: "" });
  }
});

test("ffmpeg and mpv play what the .m3u of a film names", async () => {
  const file = new URL(addresses.at(-1) ?? "").pathname.replace(/^\/signed\/[^/]+/, "");
  const answer = await fetch(`${site.origin}${file}/open.m3u`, { headers: { Cookie: cookie } });
  const saved = join(folder, "film.m3u");
  writeFileSync(saved, await answer.text());
  const address = (
    await fetch(`${site.origin}${file}/open.m3u`, { headers: { Cookie: cookie } }).then((one) => one.text())
  )
    .split("\n")
    .find((line) => line.startsWith("http"));
  expect(decode("-i", address ?? "")).toMatchObject({ status: 0, stderr: "" });
  const played = spawnSync("mpv", ["--no-config", "--vo=null", "--ao=null", "--untimed", saved], {
    encoding: "utf8",
    timeout: 100_000,
  });
  expect(played.status, played.stdout + played.stderr).toBe(0);
});

test("without the pass or a session, nothing plays", async () => {
  for (const address of addresses) {
    const { pathname } = new URL(address);
    expect((await fetch(site.origin + pathname.replace(/^\/signed\/[^/]+/, ""))).status).toBe(401);
    expect((await fetch(address.replace(/^(.*\/signed\/).*?(\/.*)$/, "$1x$2"))).status).toBe(401);
  }
});

test("the log names the addresses without their passes, and no file", () => {
  const log = site.said.join("\n");
  const passes = addresses.map((address) => /\/signed\/([^/]+)/.exec(address)?.[1] ?? "");
  expect(log).toContain("/signed/…/");
  for (const pass of passes) {
    expect(pass.length).toBeGreaterThan(80);
    expect(log).not.toContain(pass);
    expect(log).not.toContain(pass.slice(-43));
  }
  expect(log).not.toContain(word);
});
