import { prepare } from "./prepare.mjs";

/** `npm start` installs and builds what is missing, then runs the server in this process. */

process.env.NODE_ENV = "production";
// Until the server has handlers of its own, nothing has to be closed, and a stop that was asked for is no failure.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(0));
await prepare();
// Without this, the server's workers and child processes would load node-version.cjs again.
process.execArgv.length = 0;
if (process.env.npm_lifecycle_event === "start") endWithNpm();
await import("../build/server/server.js");

/** npm passes SIGINT and SIGTERM on. Any other end of npm, by a closed terminal or a kill, would leave the server alone. */
function endWithNpm() {
  const npmPid = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npmPid) return;
    clearInterval(watch);
    process.kill(process.pid, "SIGTERM");
  }, 500);
  watch.unref();
}
