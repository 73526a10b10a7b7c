import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/**
 * Rewrites every playlist in a folder and checks the results with the independent checker of the tests:
 *
 *   node tests/bench/media/check-playlists.mjs FOLDER
 */
const [, , folder] = process.argv;
const root = fileURLToPath(new URL("../../..", import.meta.url));
const load = async (path) =>
  (await runnerImport(join(root, path), { root, configFile: false, logLevel: "error" })).module;
const { rewritePlaylist } = await load("app/domain/proxy/playlists/playlist.ts");
const { complaintsAbout } = await load("tests/support/checks/playlist-checker.ts");

const bases = [
  "https://films.example.org/show/one/index.m3u8?token=a%2Bb&x=1",
  "http://films.example.org:8080/",
];
// The rewriter writes signed and unsigned URLs in different branches.
const signing = [undefined, () => "signature"];
const found = readdirSync(folder, { recursive: true }).filter((name) => /\.m3u8?$/i.test(name));
let wrong = 0;
for (const name of found) {
  const text = readFileSync(join(folder, name), "utf8");
  const complaints = bases.flatMap((base) =>
    signing.flatMap((sign) => complaintsAbout(text, rewritePlaylist(text, base, new Map(), sign), { base })),
  );
  if (complaints.length === 0) continue;
  wrong++;
  console.log(`${name}\n${complaints.slice(0, 5).join("\n")}`);
}
console.log(`${found.length} playlists, ${wrong} of them rewritten wrongly`);
process.exitCode = wrong === 0 ? 0 : 1;
