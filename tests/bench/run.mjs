import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

/** `npm run bench [NAME]`: Node 20 runs no TypeScript, Vite does. */
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
await runnerImport(at("bench.ts"), { root: at("../.."), configFile: false, logLevel: "error" });
