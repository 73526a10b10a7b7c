import { prepare } from "./prepare.mjs";

/** `npm start` runs this first: it prints the Node arguments that limit the server's heap. */

process.env.NODE_ENV = "production";
await prepare();
await import("../build/server/heap-flags.js");
