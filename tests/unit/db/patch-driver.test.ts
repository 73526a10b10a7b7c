import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, createServer, type Rolldown } from "vite";
import { beforeEach, expect, test } from "vitest";
import { patchDriver } from "#db/patch-driver.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Two lines from the patch, one for each file that it changes. */
const patched = [/fetchArrayTypes\(\)\.catch\(/, /ending \? c\.terminate\(\) : move\(c, open\)/];

const folder = temporaryFolder("driver");
const driver = join(folder, "postgres");
beforeEach(() => {
  rmSync(driver, { recursive: true, force: true });
  cpSync("node_modules/postgres", driver, { recursive: true });
});

const edit = (file: string, found: string, replacement: string) => {
  const path = join(driver, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(found);
  writeFileSync(
    path,
    text.replace(found, () => replacement),
  );
};

const base = { configFile: false, logLevel: "silent" } as const;

async function bundle({ plugin = patchDriver(), input = "postgres" } = {}) {
  const options = { ssr: true, write: false, rollupOptions: { input } };
  const built = await build({ ...base, plugins: [plugin], build: options });
  return (built as Rolldown.RolldownOutput).output.map((file) => ("code" in file ? file.code : "")).join("");
}
const bundleWithCopy = () => bundle({ plugin: patchDriver(pathToFileURL(`${driver}/`)) });

test("a build contains the patched driver", async () => {
  const code = await bundle();
  for (const line of patched) expect(code).toMatch(line);
});

test("the development server serves the patched driver", async () => {
  const server = await createServer({
    ...base,
    plugins: [patchDriver()],
    server: { middlewareMode: true, ws: false },
  });
  const files = ["connection", "index"].map((name) => `/node_modules/postgres/src/${name}.js`);
  const answers = await Promise.all(files.map((file) => server.environments.ssr.transformRequest(file)));
  await server.close();
  const code = answers.map((answer) => answer?.code).join("");
  for (const line of patched) expect(code).toMatch(line);
});

test("a new version of the driver with one line moved stops the build, and the error says what to do", async () => {
  edit("package.json", '"version": "3.4.9"', '"version": "3.5.0"');
  edit("src/index.js", "function onopen(c) {", "\n  function onopen(c) {");
  await expect(bundleWithCopy()).rejects.toThrow(
    'db/postgres.patch does not fit the installed postgres 3.5.0: line 401 of src/index.js is not "function onopen(c) {". ' +
      "Install the version that the patch names in its first line, or renew the patch as its preamble says.",
  );
});

test("a new version of the driver that renames a patched file stops the build", async () => {
  renameSync(join(driver, "src/connection.js"), join(driver, "src/socket.js"));
  await expect(bundleWithCopy()).rejects.toThrow(
    /does not fit the installed postgres 3\.4\.9: .*src\/connection\.js/,
  );
});

test("a build with the driver's CommonJS copy stops, because the patch does not change that copy", async () => {
  await expect(bundle({ input: "node_modules/postgres/cjs/src/index.js" })).rejects.toThrow(
    "the bundle takes cjs/src/",
  );
});
