import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The folders of films that an operator may choose on the site. */

const base = temporaryFolder("choosable");
const place = join(base, "place");
const elsewhere = join(base, "elsewhere");
process.env.DATA_DIR = join(place, "server/data");
process.env.MEDIA_BROWSE = [place, "/", "/etc", resolve(".")].join(delimiter);
process.env.DATABASE_URL = "";
process.env.MEDIA_DIR = "";
const { browseFolders, mayChooseRoots, placeOfChosenFolder } = await import(
  "#app/domain/films/folder/choosable-folders.server.ts"
);
const { ownFilePath } = await import("#app/platform/process/own-files.server.ts");

for (const folder of ["films/Show", ".hidden/films", "server/data/images", "server/other"])
  mkdirSync(join(place, folder), { recursive: true });
mkdirSync(join(elsewhere, "films"), { recursive: true });
writeFileSync(join(place, "films/secret.txt"), "");
symlinkSync(join(place, "films"), join(place, "linked"));
symlinkSync(elsewhere, join(place, "out"));
symlinkSync("/etc", join(place, "system"));
symlinkSync(join(place, "loop"), join(place, "loop"));

const judge = async (path: string) => {
  const judged = await placeOfChosenFolder(path);
  return judged.ok ? judged.value : judged.reason;
};

test("a folder inside an allowed folder can be chosen, by its real path", async () => {
  expect(mayChooseRoots()).toBe(true);
  expect(await judge(join(place, "films"))).toBe(join(place, "films"));
  expect(await judge(join(place, "films/../films/Show"))).toBe(join(place, "films/Show"));
  expect(await judge(join(place, "linked"))).toBe(join(place, "films"));
  expect(await judge(join(place, "server/other"))).toBe(join(place, "server/other"));
});

test.each([
  ["the file system", "/"],
  ["a folder of the system, although MEDIA_BROWSE names it", "/etc"],
  ["a folder within one", "/etc/ssl"],
  ["/proc", "/proc/self"],
  ["a hidden folder", join(place, ".hidden")],
  ["a folder in a hidden one", join(place, ".hidden/films")],
  ["a folder elsewhere", join(elsewhere, "films")],
  ["a link to elsewhere", join(place, "out")],
  ["a folder behind a link to elsewhere", join(place, "out/films")],
  ["a link to the system", join(place, "system")],
  ["a path with dots that leaves the place", join(place, "films/../../elsewhere")],
  ["the folder that contains DATA_DIR", join(place, "server")],
  ["the place that contains it", place],
  ["DATA_DIR", join(place, "server/data")],
  ["a folder in DATA_DIR", join(place, "server/data/images")],
  ["the program's folder", ownFilePath("")],
  ["the folder that contains it", resolve("..")],
  ["a folder in it", ownFilePath("app")],
])("%s cannot be chosen", async (_, path) => {
  expect(await judge(path)).toBe("forbidden");
});

test.each([
  ["a file", join(place, "films/secret.txt")],
  ["nothing", join(place, "nowhere")],
  ["a link in a circle", join(place, "loop")],
  ["a relative path", "films"],
  ["a path with a NUL", `${place}/films\0`],
])("%s is refused, because it is no folder", async (_, path) => {
  expect(await judge(path)).toBe("not_found");
});

test("only the names of folders are listed, without hidden folders and those that may not be opened", async () => {
  const shown = await browseFolders(place);
  if (!shown.ok) throw new Error(shown.message);
  expect(shown.value).toMatchObject({ path: place, above: null, isChoosable: false });
  expect(shown.value.folders.map(({ name, isChoosable }) => [name, isChoosable])).toEqual([
    ["films", true],
    ["server", false],
  ]);
  expect(JSON.stringify(await browseFolders(join(place, "films")))).not.toContain("secret");
  expect(JSON.stringify(await browseFolders(join(place, "server")))).not.toContain("data");
  for (const path of [elsewhere, "/etc", join(place, "server/data"), join(base, "nowhere")])
    expect(await browseFolders(path)).toMatchObject({ ok: false, reason: "forbidden" });
  const places = await browseFolders(null);
  expect(places.ok && places.value.folders.map(({ path }) => path)).not.toContain("/");
});
