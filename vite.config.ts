import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";
import { mendDriver, mended } from "./db/mend-driver.ts";

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

const everyPageNeeds =
  /app\/ui\/(card|error-page|footer|icons|nonce|page-meta|pager|poster|recent-searches|search-box|season-path|shell|site|suggestion-box|title|visitor-memory)\.tsx?$/;

/** What home and a title's page share. */
const titlesNeed = /app\/ui\/(backdrop|episode-list|row)\.tsx$/;

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
  // Names for developers' tools keep components alive that nothing uses.
  transform(code, id) {
    if (!id.includes("/react-router/dist/production/")) return;
    return code
      .replace(/^\w+\.displayName = "\w+";$/gm, "")
      .replace(/^(var \w+ = )(?=React\w*\.(?:forwardRef|createContext)\()/gm, "$1/* @__PURE__ */ ");
  },
};

export default defineConfig({
  plugins: [productionRouter, reactRouter(), namedServerEntries, compressedCopies, mendDriver],
  environments: {
    client: {
      build: {
        rollupOptions: {
          // What every page needs is one file each: many small ones compress worse, and come later.
          output: {
            advancedChunks: {
              groups: [
                { name: "react", test: /node_modules\/(?:react|react-dom|react-router|scheduler)\// },
                { name: "site", test: everyPageNeeds },
                { name: "titles", test: titlesNeed },
              ],
            },
          },
        },
      },
    },
    ssr: {
      resolve: { noExternal: mended },
      build: {
        sourcemap: true,
        rollupOptions: {
          input: {
            server: "app/server.ts",
            application: "app/application.server.ts",
            "render-child": "app/domain/images/render-child.ts",
            "file-reader": "app/domain/library/file-reader.ts",
            "hash-worker": "app/domain/accounts/hash-worker.js",
            ...tools,
          },
        },
      },
    },
  },
});
