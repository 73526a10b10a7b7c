import { prepare } from "./prepare.mjs";

/** `npm start`: whatever is missing is made, then the server takes over this process. */

process.env.NODE_ENV = "production";
await prepare();
// The server's own workers and children need no second look at the version.
process.execArgv.length = 0;
await import("../build/server/server.js");
