import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  commandText,
  commandTextOfBackup,
  commandTextsOfRestore,
} from "#app/platform/command-text.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";

test("texts name npm's scripts in a clone, and the image's own command in the image", () => {
  expect(commandText("user", "operator ME")).toBe("npm run user -- operator ME");
  expect(commandText("backup")).toBe("npm run backup");
  expect(commandText("user", "operator ME", true)).toBe("engawa user operator ME");
  expect(commandText("backup", "", true)).toBe("engawa backup");
});

const own = { DATA_DIR: ownFilePath("data"), DATABASE_URL: undefined };
const service = { DATA_DIR: "/var/lib/engawa", DATABASE_URL: undefined };
const elsewhere = { ...own, DATABASE_URL: "postgres://engawa:secret@db.example/engawa" };

test("a restore needs a stopped site: the image says how, and a clone names the settings unless they are its own", () => {
  expect(commandTextsOfRestore("/data/backups/a.gz --replace", true)).toEqual([
    "docker compose stop engawa",
    "docker compose run --rm engawa restore /data/backups/a.gz --replace",
    "docker compose up -d",
  ]);
  const inClone = (settings: typeof own | typeof elsewhere) =>
    commandTextsOfRestore("a.gz --replace", false, settings);
  expect(inClone(own)).toEqual(["npm run restore -- a.gz --replace"]);
  expect(inClone(service)).toEqual(["DATA_DIR=/var/lib/engawa npm run restore -- a.gz --replace"]);
  expect(inClone(elsewhere)).toEqual(["DATABASE_URL=… npm run restore -- a.gz --replace"]);
});

test("a backup is made beside the running site, with its settings", () => {
  expect(commandTextOfBackup(true)).toBe("docker compose exec engawa engawa backup");
  expect(commandTextOfBackup(false, own)).toBe("npm run backup");
  expect(commandTextOfBackup(false, service)).toBe("DATA_DIR=/var/lib/engawa npm run backup");
  expect(commandTextOfBackup(false, elsewhere)).toBe("DATABASE_URL=… npm run backup");
});

test("the image's command and npm's scripts have the same name for every tool", () => {
  const [, listed = ""] = /^tools="(.*)"$/m.exec(readFileSync("ops/engawa", "utf8")) ?? [];
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const tools = listed.split(" ");
  expect(tools.map((name) => `${name.replace(":", "-")}.ts`)).toEqual(readdirSync("app/cli").sort());
  for (const name of tools) expect(scripts[name], name).toContain(`run.mjs ${name.replace(":", "-")}`);
});
