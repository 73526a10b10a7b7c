import { EventEmitter } from "node:events";
import { prepare } from "./prepare.mjs";

/** `npm run dev`: Vite in front of the product's own server, so that headers, limits and errors are the real ones. */

process.env.NODE_ENV = "development";
// Workers and child processes run from the build.
await prepare();
const { createServer } = await import("vite");

// Vite wants the server that its WebSocket shall share before there is one.
const upgrades = new EventEmitter();
const vite = await createServer({
  appType: "custom",
  // Our own server hands these out, and answers for other origins.
  publicDir: false,
  server: { middlewareMode: true, hmr: { server: upgrades }, cors: false },
});
const { runDevelopment } = await vite.ssrLoadModule("/app/development.ts");
const server = await runDevelopment(vite);
server.on("upgrade", (...request) => upgrades.emit("upgrade", ...request));
