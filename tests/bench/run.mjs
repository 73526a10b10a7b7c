import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** `npm run bench -- [WORD]`. Node 20 cannot run TypeScript, so Vite does. */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
await runnerImport(at("bench.ts"), { root: at("../.."), configFile: false, logLevel: "error" });
