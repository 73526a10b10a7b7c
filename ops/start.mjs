import { prepare } from "./prepare.mjs";

/** `npm start`: whatever is missing is made, then the server takes over this process. */

process.env.NODE_ENV = "production";
await prepare();
// The server's own workers and children need no second look at the version.
process.execArgv.length = 0;
if (process.env.npm_lifecycle_event === "start") endWithNpm();
await import("../build/server/server.js");

/** A signal sent to npm ends npm and its shell, and neither passes it on: without them the server would stay for ever. */
function endWithNpm() {
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}
