import { prepare } from "./prepare.mjs";

/** Prints the Node arguments that limit the server's heap. `npm start` runs this before it starts the server. */

process.env.NODE_ENV = "production";
await prepare();
await import("../build/server/heap-flags.js");
