import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { runCaddy } from "#tests/support/servers/caddy.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startNginx } from "#tests/support/servers/nginx.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * Players outside the browser play the signed addresses that members get. No log contains the signatures: neither the
 * site's own nor those of nginx and Caddy with the configuration that comes with the site.
 */

const word = "zqxjkvunlikely";
const folder = temporaryFolder("signed");
const films = join(folder, "films");
mkdirSync(join(films, word), { recursive: true });
makeFilm(join(films, word), `Bleach - 1 ${word}.mkv`, { ...matroskaFilms["H.264 and AAC"], seconds: 6 });
const smallFilm = `${word}/Bleach - 2 ${word}.mp4`;
writeFileSync(join(films, smallFilm), Buffer.alloc(5000, 1));
const port = await freePort();
const site = await startSite({
  PORT: String(port),
  MEDIA_DIR: films,
  FILMS: "members",
  SIGNUPS: "open",
  TRUST_PROXY: "1",
  LOG_LEVEL: "debug",
});
runTool(site, "sources", ["add", "269", "1", `media:${word}/Bleach - 1 ${word}.mkv`]);
runTool(site, "sources", ["add", "269", "2", `media:${smallFilm}`]);
const nginx = await startNginx(await freePort(), [port, port]);
const caddy = await startCaddy();

/** Caddy with the lines of docs/films.md. */
async function startCaddy() {
  const documented = /(log \{\n(?: {4}.*\n)+ {4}\})/.exec(readFileSync("docs/films.md", "utf8"))?.[1] ?? "";
  const log = join(folder, "caddy.log");
  const own = await freePort();
  const configuration = `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${own} {\n reverse_proxy 127.0.0.1:${port}\n ${documented.replace("log {", `log {\n output file ${log}`)}\n}\n`;
  const ownLog = await runCaddy(folder, own, configuration);
  return { origin: `http://127.0.0.1:${own}`, accessLog: () => readFileSync(log, "utf8") + ownLog() };
}

let cookie = "";
let addresses: string[] = [];
beforeAll(async () => {
  ({ cookie } = await signUpAt(site.origin, "aki@example.org"));
  addresses = await addressesOf(1);
});

async function addressesOf(episode: number): Promise<string[]> {
  const path = `/api/episodes/getEpisode?mal_id=269&ep=${episode}`;
  const answer = await fetch(site.origin + path, { headers: { Cookie: cookie } });
  const { data } = (await answer.json()) as { data: { sources: { url: string }[] } };
  return data.sources.map(({ url }) => url);
}

const passOf = (address: string) => /\/signed\/([^/]+)/.exec(address)?.[1] ?? "";

const secondsOf = (address: string) =>
  Number(
    execFileSync("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", address], {
      encoding: "utf8",
      timeout: 280_000,
    }),
  );
/** Without this, ffmpeg complains about the times of frames that it made. */
const asItIs = ["-fps_mode", "passthrough", "-enc_time_base", "-1"];
const decode = (...words: string[]) =>
  spawnSync("ffmpeg", ["-v", "error", "-nostdin", ...words, ...asItIs, "-f", "null", "-"], {
    encoding: "utf8",
    timeout: 280_000,
  });

test("ffmpeg plays the playlist and the file to their ends", () => {
  expect(addresses.length).toBe(2);
  for (const address of addresses) {
    expect(address).toContain("/signed/");
    expect(secondsOf(address)).toBeCloseTo(6, 0);
    expect(decode("-i", address)).toMatchObject({ status: 0, stderr: "" });
  }
});

test("ffmpeg and mpv play the addresses in a film's .m3u", async () => {
  const file = new URL(addresses.at(-1) ?? "").pathname.replace(/^\/signed\/[^/]+/, "");
  const answer = await fetch(`${site.origin}${file}/open.m3u`, { headers: { Cookie: cookie } });
  const playlist = await answer.text();
  const saved = join(folder, "film.m3u");
  writeFileSync(saved, playlist);
  const address = playlist.split("\n").find((line) => line.startsWith("http"));
  expect(decode("-i", address ?? "")).toMatchObject({ status: 0, stderr: "" });
  const played = spawnSync("mpv", ["--no-config", "--vo=null", "--ao=null", "--untimed", saved], {
    encoding: "utf8",
    timeout: 280_000,
  });
  expect(played.status, played.stdout + played.stderr).toBe(0);
});

test("without the signature or a session, nothing plays", async () => {
  for (const address of addresses) {
    const { pathname } = new URL(address);
    expect((await fetch(site.origin + pathname.replace(/^\/signed\/[^/]+/, ""))).status).toBe(401);
    expect((await fetch(address.replace(/^(.*\/signed\/).*?(\/.*)$/, "$1x$2"))).status).toBe(401);
  }
});

test.each([
  ["nginx", nginx],
  ["Caddy", caddy],
])("%s logs a signed address without its signature, however it is spelled", async (_name, proxy) => {
  const [address = ""] = await addressesOf(2);
  const path = new URL(address).pathname;
  const pass = passOf(address);
  expect(pass.length).toBeGreaterThan(60);
  const played = await fetch(proxy.origin + path);
  expect([played.status, (await played.arrayBuffer()).byteLength]).toEqual([200, 5000]);
  const spellings = [
    `/${path}`,
    path.replace("/signed", "/SIGNED"),
    path.replace("/signed/", "/signed//"),
    `${path}?a=b`,
  ];
  for (const spelling of spellings) await (await fetch(proxy.origin + spelling)).arrayBuffer();
  await until(() => proxy.accessLog().split("/film/").length > spellings.length);
  const log = proxy.accessLog();
  expect(log).toMatch(/signed\/-\/film\//);
  for (const secret of [pass, pass.split(".").at(-1) ?? pass, word]) expect(log).not.toContain(secret);
});

test("the log has the addresses without their signatures, and names no file", () => {
  const log = site.said.join("\n");
  const passes = addresses.map(passOf);
  expect(log).toContain("/signed/…/");
  for (const pass of passes) {
    expect(pass.length).toBeGreaterThan(80);
    expect(log).not.toContain(pass);
    expect(log).not.toContain(pass.slice(-43));
  }
  expect(log).not.toContain(word);
});
