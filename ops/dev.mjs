import { EventEmitter } from "node:events";
import { prepare } from "./prepare.mjs";

/** `npm run dev` runs Vite in front of the product's own server, so that headers, limits and errors are those of production. */

process.env.NODE_ENV = "development";
// Workers and child processes run from the build.
await prepare();
const { createServer } = await import("vite");

// Vite needs the server for its WebSocket before our server exists.
const upgrades = new EventEmitter();
const vite = await createServer({
  appType: "custom",
  // Our own server serves the public files and answers CORS requests.
  publicDir: false,
  server: { middlewareMode: true, hmr: { server: upgrades }, cors: false },
});
const { runDevelopment } = await vite.ssrLoadModule("/app/start/development.ts");
const server = await runDevelopment(vite);
server.on("upgrade", (...request) => upgrades.emit("upgrade", ...request));
