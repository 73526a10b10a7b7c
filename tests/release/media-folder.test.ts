import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signInAt } from "#tests/support/requests/session-member.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addOperator } from "#tests/support/site/command-line-tools.ts";
import { newDataDir, type Site, startSite } from "#tests/support/site/site-process.ts";

/** A folder of films that changes its rights, its mount and its program while the site runs. */

const root = temporaryFolder("media-folder");
atEnd(() => rmSync(root, { recursive: true, force: true }));

/** Root can read every folder. */
const user = 1000;
const asUser = `data:text/javascript,${encodeURIComponent(
  `if (process.getuid() === 0) { process.setgroups([]); process.setgid(${user}); process.setuid(${user}); }`,
)}`;

/** The clone may lie in a folder that only root can enter. */
function copySite() {
  const copy = join(root, "site");
  mkdirSync(copy);
  for (const part of ["package.json", "build", "node_modules"]) {
    const linked = spawnSync("cp", ["-al", part, copy]);
    if (linked.status !== 0) execFileSync("cp", ["-a", part, copy], { stdio: "pipe" });
  }
  return copy;
}

async function startAsUser(settings: Record<string, string>) {
  const dataDir = newDataDir();
  chownSync(dataDir, user, user);
  const NODE_OPTIONS = `--import=${asUser}`;
  return startSite({ ...settings, DATA_DIR: dataDir, NODE_OPTIONS }, { isQuiet: true, folder: copySite() });
}

/** Mounts a folder at another place, without events and by a program that can die, like a network share. */
function showByFuse(folder: string, at: string) {
  mkdirSync(at, { recursive: true });
  execFileSync("bindfs", [folder, at], { stdio: "pipe" });
}

function killBindfs(at: string) {
  const isOfFolder = (pid: string) =>
    /^\d+$/.test(pid) && readCommandLine(pid).startsWith("bindfs") && readCommandLine(pid).includes(at);
  for (const pid of readdirSync("/proc").filter(isOfFolder)) process.kill(Number(pid), "SIGKILL");
}

function readCommandLine(pid: string) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

async function signInOperator(site: Site) {
  const email = "operator@example.org";
  addOperator(site, email, goodPassword);
  const { cookie: Cookie } = await signInAt(site.origin, email);
  return {
    read: async (path: string) =>
      (await (await fetch(site.origin + path, { headers: { Cookie } })).text()).replaceAll("<!-- -->", ""),
    scan: () =>
      fetch(`${site.origin}/admin/setup`, {
        method: "POST",
        headers: { Cookie, Origin: site.origin },
        body: new URLSearchParams({ intent: "scan" }),
      }),
  };
}

test("a folder without events that becomes unreadable, dies, goes and returns is reported, and no film is forgotten", async () => {
  const [folder, shown] = [join(root, "films"), join(root, "shown")];
  const put = (episode: string) => {
    const file = join(folder, `Cowboy Bebop - ${episode}.webm`);
    copyFileSync(`public/film/1/film.webm`, file);
    execFileSync("sh", ["-c", `echo ${episode} >> "$0"`, file]);
    const at = Date.now() / 1000 - 3600;
    utimesSync(file, at, at);
  };
  mkdirSync(folder, { recursive: true });
  put("01");
  showByFuse(folder, shown);
  atEnd(() => spawnSync("umount", ["-l", shown]));
  const site = await startAsUser({ MEDIA_DIR: shown });
  const operator = await signInOperator(site);
  const says = (path: string, text: string) => expect.poll(() => operator.read(path)).toContain(text);
  const filmOf = async (episode: number) => {
    const { data } = JSON.parse(await operator.read(`/api/episodes/getEpisode?mal_id=1&ep=${episode}`));
    return /\/film\/([\w-]+)/.exec(data.sources[0]?.url ?? "")?.[1];
  };
  const statusOf = async (film: string | undefined) => (await fetch(`${site.origin}/film/${film}`)).status;

  await says("/admin/setup?step=watch", 'href="/watch/1/1"');
  expect(await operator.read("/admin/films")).toContain(
    "Changes are not noticed at once: the folder is on a FUSE file system",
  );
  const film = await filmOf(1);
  expect(await statusOf(film)).toBe(200);
  put("02");
  await operator.scan();
  await says("/admin/films", "2 videos found");

  chmodSync(folder, 0);
  const rights = `The user ${user} cannot read ${shown}: give it read and enter rights.`;
  for (const page of ["/admin", "/admin/setup"]) await says(page, rights);
  await operator.scan();
  await says("/admin/films", "cannot be read (EACCES). Nothing was changed.");
  chmodSync(folder, 0o755);

  killBindfs(shown);
  await says("/admin", `The media folder, ${shown}, cannot be read (ENOTCONN).`);
  execFileSync("umount", ["-l", shown]);
  rmdirSync(shown);
  await says("/admin", `The media folder, ${shown} (MEDIA_DIR), is missing.`);
  await operator.scan();
  await says("/admin/films", "cannot be read (ENOENT). Nothing was changed.");
  expect(await statusOf(film)).toBe(404);

  showByFuse(folder, shown);
  await operator.scan();
  await says("/admin/setup?step=found", "The scan found 2 videos. The site knows title and episode of 2.");
  expect(await operator.read("/admin")).not.toContain(shown);
  expect([await filmOf(1), await statusOf(film)]).toEqual([film, 200]);
  expect(await filmOf(2)).toBeDefined();
});
