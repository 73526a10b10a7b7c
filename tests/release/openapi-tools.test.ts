import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Common tools read the OpenAPI document. The site does not depend on them; they are installed here. */

const tools = resolve("node_modules/.cache/openapi-tools");
const packages = [
  "@redocly/cli@2.77.0",
  "@stoplight/spectral-cli@6.16.3",
  "openapi-fetch@0.17.0",
  "openapi-typescript@7.13.0",
  // The TypeScript version with which openapi-typescript writes its types.
  "typescript@5.9.3",
];

const site = await startSite();
const folder = temporaryFolder("openapi");

beforeAll(async () => {
  mkdirSync(tools, { recursive: true });
  run("npm", [
    "install",
    "--prefix",
    tools,
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--loglevel",
    "error",
    ...packages,
  ]);
  symlinkSync(join(tools, "node_modules"), join(folder, "node_modules"));
  const document = await fetch(`${site.origin}/api/openapi.json`);
  writeFileSync(join(folder, "openapi.json"), await document.text());
});

/** Returns the output. An exit code other than 0 fails the test with both outputs. */
function run(program: string, programArguments: string[], environment: Record<string, string> = {}): string {
  try {
    return execFileSync(program, programArguments, {
      cwd: folder,
      env: { ...process.env, ...environment },
      encoding: "utf8",
      stdio: "pipe",
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${programArguments.join(" ")}\n${stdout}\n${stderr}`);
  }
}

const runTool = (name: string, ...toolArguments: string[]) =>
  run(join(tools, "node_modules/.bin", name), toolArguments, {
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });

test("the recommended rules of Redocly find no error", () => {
  runTool("redocly", "lint", "openapi.json", "--extends=recommended");
});

test("the OpenAPI rules of Spectral find no error", () => {
  writeFileSync(join(folder, "rules.yaml"), 'extends: ["spectral:oas"]\n');
  runTool("spectral", "lint", "openapi.json", "--ruleset", "rules.yaml", "--fail-severity=error");
});

test("a client with the types of openapi-typescript compiles and uses the API", () => {
  runTool("openapi-typescript", "openapi.json", "--output", "api.ts");
  copyFileSync("tests/fixtures/typed-client/client.ts", join(folder, "client.ts"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  run(process.execPath, [
    resolve("node_modules/typescript/bin/tsc"),
    ...["--strict", "--noUncheckedIndexedAccess", "--skipLibCheck", "--rewriteRelativeImportExtensions"],
    ...["--target", "es2023", "--lib", "es2023,dom,dom.iterable", "--module", "nodenext"],
    ...["--types", "node", "--typeRoots", resolve("node_modules/@types")],
    "client.ts",
  ]);
  const output = run(process.execPath, ["client.js", site.origin, "typed@example.org", goodPassword]);
  const got = JSON.parse(output) as { genres: string[][]; scores: number[]; list: [number, number][] };
  expect(got).toMatchObject({
    user: "Typed",
    added: false,
    isWanted: true,
    imported: [],
    unknown: expect.any(String),
  });
  expect(got.list).toEqual([[expect.any(Number), 1]]);
  expect(got.scores).toHaveLength(3);
  for (const score of got.scores) expect(score).toBeGreaterThanOrEqual(7.5);
  for (const genres of got.genres)
    expect(genres.some((one) => one === "Action" || one === "Sci-Fi")).toBe(true);
});
