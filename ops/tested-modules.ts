import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin } from "vite";

/**
 * Integration, cluster, load and release tests import the application's own modules instead of a second copy. The
 * server build has one entry with every module that those tests name, and vitest imports the modules from there.
 */

const root = resolve(import.meta.dirname, "..");
const built = join(root, "build/server/testing");
const testFolders = ["integration", "cluster", "load", "release", "support"].map((name) => `tests/${name}`);

/** Paths like `db/client.server.ts`, from the imports of `#app/…` and `#db/…` in the tests. */
export function testedModules(): string[] {
  const files = testFolders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
    )
    .filter((file) => file.endsWith(".ts"));
  const named = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/(?<=["']#)(?:app|db)\/[\w./-]+(?=["'])/g)].map(([path]) => path),
  );
  return [...new Set(named)].filter((path) => existsSync(join(root, path))).sort();
}

/** True if the last build contains every module that the tests import. */
export const holdsTestedModules = () => testedModules().every((path) => existsSync(facadeOf(path)));

const facadeOf = (name: string) => join(built, `${name}.js`);

const entry = "virtual:tested-modules";

/**
 * Adds `testing.js` to the server build. This single entry reaches the whole application, so the bundler cuts the same
 * chunks as without it; one entry for each module would cut three times as many. `testing/` has a file for each module
 * that re-exports its names. Patched packages have their own entries, so that a test can use them before the
 * application starts.
 */
export function emitTestedModules(packages: readonly string[]): Plugin {
  return {
    name: "engawa:emit-tested-modules",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "ssr",
    buildStart() {
      this.emitFile({ type: "chunk", id: entry, fileName: "testing.js" });
      for (const name of packages) this.emitFile({ type: "chunk", id: name, fileName: `testing/${name}.js` });
    },
    resolveId: (source) => (source === entry ? `\0${entry}` : undefined),
    load: (id) => (id === `\0${entry}` ? testedModules().map(exportAs).join("\n") : undefined),
    generateBundle() {
      for (const path of testedModules()) {
        const names = this.getModuleInfo(join(root, path))?.exports ?? [];
        this.emitFile({ type: "asset", fileName: `testing/${path}.js`, source: facade(path, names) });
      }
    },
  };
}

const exportAs = (path: string) =>
  `export * as ${JSON.stringify(path)} from ${JSON.stringify(join(root, path))};`;

const facade = (path: string, names: readonly string[]) =>
  `import { ${JSON.stringify(path)} as module } from "${"../".repeat(path.split("/").length)}testing.js";
export const { ${names.join(", ")} } = module;
`;

/**
 * Resolves the tests' imports to the build. A module that the build lacks is an error, never a copy from the sources.
 */
export function importFromBuild(packages: readonly string[]): Plugin {
  const sources = [join(root, "app/"), join(root, "db/")];
  return {
    name: "engawa:import-from-build",
    enforce: "pre",
    resolveId(source) {
      const name = packages.includes(source) ? source : /^#((?:app|db)\/.*)$/.exec(source)?.[1];
      if (name === undefined) return;
      const file = facadeOf(name);
      if (!existsSync(file)) throw new Error(`${source} is not in build/server/testing: ${remedy}`);
      return { id: file, external: true };
    },
    load(id) {
      if (sources.some((folder) => id.startsWith(folder)))
        throw new Error(`${relative(root, id)} would be a second copy beside the application's: ${remedy}`);
    },
  };
}

const remedy =
  "a test names a module of app/ or db/ as a literal that begins with #app/ or #db/, and npm run build adds it.";
