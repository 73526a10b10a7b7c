import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startNginx } from "#tests/support/servers/nginx.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** nginx and Caddy with the configuration that comes with the site: their logs hold no signature and no name of a film. */

const word = "zqxjkvunlikely";
const folder = temporaryFolder("proxies");
const films = join(folder, "films");
mkdirSync(films, { recursive: true });
writeFileSync(join(films, `Bleach - 1 ${word}.mp4`), Buffer.alloc(5000, 1));
const port = await freePort();
const site = await startSite({
  PORT: String(port),
  MEDIA_DIR: films,
  FILMS: "members",
  SIGNUPS: "open",
  TRUST_PROXY: "1",
  LOG_LEVEL: "debug",
});
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["add", "269", "1", `media:Bleach - 1 ${word}.mp4`]);
const nginx = await startNginx(await freePort(), [port, port]);
const caddy = await startCaddy();

/** With the lines of docs/films.md. */
async function startCaddy() {
  const documented = /(log \{\n(?: {4}.*\n)+ {4}\})/.exec(readFileSync("docs/films.md", "utf8"))?.[1] ?? "";
  const log = join(folder, "caddy.log");
  const own = await freePort();
  const configuration = join(folder, "Caddyfile");
  writeFileSync(
    configuration,
    `{\n admin off\n auto_https off\n}\nhttp://127.0.0.1:${own} {\n reverse_proxy 127.0.0.1:${port}\n ${documented.replace("log {", `log {\n output file ${log}`)}\n}\n`,
  );
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const started = spawn("caddy", ["run", "--config", configuration, "--adapter", "caddyfile"], {
    stdio: ["ignore", "ignore", "pipe"],
    env,
  });
  let said = "";
  started.stderr.on("data", (text: Buffer) => {
    said += text;
  });
  atEnd(() => void started.kill("SIGTERM"));
  const origin = `http://127.0.0.1:${own}`;
  await until(async () => {
    if (started.exitCode !== null) throw new Error(said);
    return fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return { origin, accessLog: () => readFileSync(log, "utf8") + said };
}

let path = "";
let pass = "";

beforeAll(async () => {
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ username: "Aki", email: "aki@example.org", password: "Abc123!x" });
  const signedUp = await fetch(`${site.origin}/api/auth/signup`, { method: "POST", headers, body });
  expect(signedUp.status).toBe(201);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const answer = await fetch(`${site.origin}/api/episodes/getEpisode?mal_id=269&ep=1`, {
    headers: { Cookie: cookie },
  });
  const { data } = (await answer.json()) as { data: { sources: { url: string }[] } };
  path = new URL(data.sources[0]?.url ?? "").pathname;
  pass = /^\/signed\/([^/]+)/.exec(path)?.[1] ?? "";
  expect(pass.length).toBeGreaterThan(60);
});

test.each([
  ["nginx", nginx],
  ["Caddy", caddy],
])("%s writes a signed address without what signs it, however it is spelled", async (_name, proxy) => {
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

test("neither does the site itself, which has heard of all of them", () => {
  const log = site.said.join("\n");
  for (const secret of [pass, pass.split(".").at(-1) ?? pass]) expect(log).not.toContain(secret);
});
