import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { patchDriver, patchedPackages } from "./db/patch-driver.ts";
import { emitTestedModules } from "./ops/tested-modules.ts";

/** React Router names its one server entry itself; ours are several, each keeping its own name. */
const namedServerEntries: Plugin = {
  name: "engawa:named-server-entries",
  applyToEnvironment: (environment) => environment.name === "ssr",
  outputOptions: (options) => ({
    ...options,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  }),
};

/** Text is compressed once, as well as can be, and lies next to its plain form for the server to find. */
const compressedCopies: Plugin = {
  name: "engawa:compressed-copies",
  applyToEnvironment: (environment) => environment.name === "client",
  writeBundle({ dir }) {
    const folder = dir ?? "build/client";
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.(?:css|html|js|json|map|svg|txt|webmanifest|xml)$/.test(name) || /(?:^|[/\\])\./.test(name))
        continue;
      const bytes = readFileSync(join(folder, name));
      if (bytes.byteLength < 1024) continue;
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
      writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
};

const modulesAt = (folder: string, names: readonly string[]) =>
  names.map((name) => new RegExp(`/${folder}/${name}\\.tsx?$`));

const shellParts =
  "error-page footer nonce page-meta recent-searches search-box shell site suggestion-box visitor-memory";

/** The modules that share a file of the browser build. */
const chunks: Record<string, RegExp[]> = {
  react: [
    /\/node_modules\/react\//,
    /\/node_modules\/react-dom\//,
    /\/node_modules\/react-router\//,
    /\/node_modules\/scheduler\//,
  ],
  // What every page needs.
  site: [
    ...modulesAt("app/ui/shell", shellParts.split(" ")),
    ...modulesAt("app/ui/titles", ["card", "poster"]),
    ...modulesAt("app/ui/icons", ["icons"]),
    ...modulesAt("app/ui", ["pager"]),
  ],
  // What home and a title's page share.
  titles: modulesAt("app/ui/titles", ["backdrop", "episode-list", "row"]),
};

/** A module that is renamed would silently leave its chunk, and pages would load one more file. */
const chunksAreFull: Plugin = {
  name: "engawa:chunks-are-full",
  apply: "build",
  applyToEnvironment: (environment) => environment.name === "client",
  generateBundle() {
    const modules = [...this.getModuleIds()];
    const idle = Object.values(chunks)
      .flat()
      .filter((pattern) => !modules.some((id) => pattern.test(id)));
    if (idle.length > 0)
      throw new Error(
        `vite.config.ts puts modules into chunks that the browser build does not have: ${idle}`,
      );
  },
};

/** A file of app/cli is a command-line tool: `npm run NAME` runs it as `build/server/NAME.js`. */
const tools = Object.fromEntries(
  readdirSync("app/cli").map((file) => [file.replace(/\.ts$/, ""), `app/cli/${file}`]),
);

/** The package's `exports` name only its development files, warnings and all; browsers get the production ones. */
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
  // Names for developers' tools keep components alive that nothing uses, and the router's warnings ship in production.
  transform(code, id) {
    if (!id.includes("/react-router/dist/production/")) return;
    return code
      .replace(/^\w+\.displayName = "\w+";$/gm, "")
      .replace(/^(?=function (?:warning|warningOnce|warnOnce)\()/gm, "/* @__NO_SIDE_EFFECTS__ */ ")
      .replace(/^(var \w+ = )(?=React\w*\.(?:forwardRef|createContext)\()/gm, "$1/* @__PURE__ */ ");
  },
};

export default defineConfig({
  plugins: [
    productionRouter,
    reactRouter(),
    namedServerEntries,
    compressedCopies,
    chunksAreFull,
    patchDriver(),
    emitTestedModules(patchedPackages),
  ],
  environments: {
    client: {
      build: {
        rollupOptions: {
          // What every page needs is one file each: many small ones compress worse, and come later.
          output: {
            advancedChunks: {
              groups: Object.entries(chunks).map(([name, patterns]) => ({
                name,
                test: (id: string) => patterns.some((pattern) => pattern.test(id)),
              })),
            },
          },
        },
      },
    },
    ssr: {
      build: {
        sourcemap: true,
        rollupOptions: {
          input: {
            server: "app/start/server.ts",
            "render-child": "app/workers/render-child.ts",
            "file-reader": "app/workers/file-reader.ts",
            "hash-worker": "app/workers/hash-worker.js",
            ...tools,
          },
        },
      },
    },
  },
});
