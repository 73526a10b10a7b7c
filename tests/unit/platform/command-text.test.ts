import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { commandText, commandTextsOfRestore } from "#app/platform/command-text.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";

test("texts name npm's scripts in a clone, and the image's own command in the image", () => {
  expect(commandText("user", "operator ME")).toBe("npm run user -- operator ME");
  expect(commandText("backup")).toBe("npm run backup");
  expect(commandText("user", "operator ME", true)).toBe("engawa user operator ME");
  expect(commandText("backup", "", true)).toBe("engawa backup");
});

test("a restore needs a stopped site: the image says how, and a clone names the folder of the data unless it is its own", () => {
  expect(commandTextsOfRestore("/data/backups/a.gz --replace", true)).toEqual([
    "docker compose stop engawa",
    "docker compose run --rm engawa restore /data/backups/a.gz --replace",
    "docker compose up -d",
  ]);
  expect(commandTextsOfRestore("a.gz --replace", false, ownFilePath("data"))).toEqual([
    "npm run restore -- a.gz --replace",
  ]);
  expect(commandTextsOfRestore("a.gz --replace", false, "/var/lib/engawa")).toEqual([
    "DATA_DIR=/var/lib/engawa npm run restore -- a.gz --replace",
  ]);
});

test("the image's command and npm's scripts have the same name for every tool", () => {
  const [, listed = ""] = /^tools="(.*)"$/m.exec(readFileSync("ops/engawa", "utf8")) ?? [];
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const tools = listed.split(" ");
  expect(tools.map((name) => `${name.replace(":", "-")}.ts`)).toEqual(readdirSync("app/cli").sort());
  for (const name of tools) expect(scripts[name], name).toContain(`run.mjs ${name.replace(":", "-")}`);
});
