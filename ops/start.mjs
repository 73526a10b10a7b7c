import { prepare } from "./prepare.mjs";

/** `npm start` installs and builds what is missing, then runs the server in this process. */

process.env.NODE_ENV = "production";
// The server has not installed its own handlers yet. Nothing needs to be closed, and a requested stop is not a failure.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(0));
await prepare();
// Without this, the server's workers and child processes would load node-version.cjs again.
process.execArgv.length = 0;
if (process.env.npm_lifecycle_event === "start") endWithNpm();
await import("../build/server/server.js");

/**
 * Ends the server with npm. npm forwards SIGINT and SIGTERM, but after a closed terminal or a kill, the server would
 * keep running.
 */
function endWithNpm() {
  const npmPid = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npmPid) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}
