import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { patchClient, patchDriver, patchedPackages } from "#db/patch-driver.ts";
import { emitTestedModules } from "./ops/tested-modules.ts";

/**
 * React Router gives all server entries the same file name. This plugin keeps each entry's own name, so that other code
 * finds the files.
 */
const namedServerEntries: Plugin = {
  name: "engawa:named-server-entries",
  applyToEnvironment: (environment) => environment.name === "ssr",
  outputOptions: (options) => ({
    ...options,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    charset: "ascii",
    comments: false,
  }),
};

/**
 * Writes compressed copies of text files next to the originals, in the best quality. The server looks for them there.
 */
const compressedCopies: Plugin = {
  name: "engawa:compressed-copies",
  applyToEnvironment: (environment) => environment.name === "client",
  writeBundle({ dir }) {
    const folder = dir ?? "build/client";
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (
        !/\.(?:css|html|js|json|map|svg|txt|wasm|webmanifest|xml)$/.test(name) ||
        /(?:^|[/\\])\./.test(name)
      )
        continue;
      const bytes = readFileSync(join(folder, name));
      if (bytes.byteLength < 1024) continue;
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
};

/** Copies the starter catalog beside the server's chunks, which read it at the start. */
const starterCatalog: Plugin = {
  name: "engawa:starter-catalog",
  applyToEnvironment: (environment) => environment.name === "ssr",
  generateBundle() {
    for (const name of readdirSync("db/starter-catalog"))
      this.emitFile({
        type: "asset",
        fileName: `starter-catalog/${name}`,
        source: readFileSync(join("db/starter-catalog", name)),
      });
  },
};

/** Each file of app/cli exports a command-line tool, which `npm run` starts as `build/server/NAME.js`. */
const tools = Object.fromEntries(
  readdirSync("app/cli").map((file) => [file.replace(/\.ts$/, ""), `run:/app/cli/${file}`]),
);

/**
 * Writes the entry that runs a tool. The tool itself only exports, so that a test can run it without ending its
 * process.
 */
const toolEntries: Plugin = {
  name: "engawa:tool-entries",
  applyToEnvironment: (environment) => environment.name === "ssr",
  resolveId: (source) => (source.startsWith("run:") ? `\0${source}` : undefined),
  load: (id) =>
    id.startsWith("\0run:")
      ? `import { tool } from "${id.slice("\0run:".length)}";
import { runTool } from "/app/platform/process/run-tool.server.ts";
await runTool(tool);`
      : undefined,
};

/**
 * The `exports` of react-router resolve to its development files in browser builds, and those contain warnings. This
 * plugin resolves the production files instead.
 */
const productionRouter: Plugin = {
  name: "engawa:production-router",
  apply: "build",
  enforce: "pre",
  applyToEnvironment: (environment) => environment.name === "client",
  resolveId(source) {
    const file = { "react-router": "index.mjs", "react-router/dom": "dom-export.mjs" }[source];
    return (
      file && fileURLToPath(new URL(`node_modules/react-router/dist/production/${file}`, import.meta.url))
    );
  },
};

/**
 * jassub contains two builds of libass, two megabytes each. The player uses the one that runs in every browser, so the
 * build omits the other.
 */
const oneLibass: Plugin = {
  name: "engawa:one-libass",
  applyToEnvironment: (environment) => environment.name === "client",
  transform: (code, id) =>
    id.endsWith("/jassub/dist/jassub.js")
      ? code.replace("./wasm/jassub-worker-modern.wasm", "./wasm/jassub-worker.wasm")
      : undefined,
};

export default defineConfig({
  plugins: [
    productionRouter,
    reactRouter(),
    namedServerEntries,
    toolEntries,
    starterCatalog,
    compressedCopies,
    oneLibass,
    patchDriver(),
    patchClient(),
    emitTestedModules(patchedPackages),
  ],
  environments: {
    client: {
      build: {
        rollupOptions: {
          treeshake: {
            // Without this, a page loads every module that a door of the domain exports from, whether the page uses it
            // or not.
            moduleSideEffects: [{ test: /\/(?:app\/domain|app\/media|db\/schema)\//, sideEffects: false }],
          },
          // Modules are grouped, because many small files compress worse and arrive later.
          output: {
            advancedChunks: {
              groups: [
                { name: "react", test: /\/node_modules\/(?:react|react-dom|react-router|scheduler)\// },
                // Modules that at least 15 entries share.
                { name: "site", minShareCount: 15 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Bundled, because Node would otherwise read 270 files of these packages at each start. See
      // docs/decisions/server-bundle.md.
      resolve: { noExternal: ["arctic", "drizzle-orm", "remix-auth-oauth2", "zod"] },
      build: {
        sourcemap: true,
        rollupOptions: {
          input: {
            server: "app/start/server.ts",
            "heap-flags": "app/start/heap-flags.ts",
            "render-child": "app/workers/render-child.ts",
            "film-child": "app/workers/film-child.ts",
            "sound-child": "app/workers/sound-child.ts",
            "file-reader": "app/workers/file-reader.ts",
            "folder-watcher": "app/workers/folder-watcher.ts",
            "text-rewriter": "app/workers/text-rewriter.ts",
            "hash-worker": "app/workers/hash-worker.js",
            ...tools,
          },
        },
      },
    },
  },
});
