import { prepare } from "./prepare.mjs";

/** `npm start` runs this first: it prints the arguments of Node that bound the heap of the server. */

process.env.NODE_ENV = "production";
await prepare();
await import("../build/server/heap-flags.js");
