import { type ChildProcess, spawn } from "node:child_process";
import { killAtExit } from "./child-life.server.ts";
import { lowerPriority } from "./child-pool.server.ts";
import { ownFilePath } from "./own-files.server.ts";

/** Starts a command of the site in a process that ends with this one, for long work that must not slow pages down. */
export function startTool(name: string, args: readonly string[] = []): ChildProcess {
  const started = spawn(
    process.execPath,
    ["--max-old-space-size=256", ownFilePath(`build/server/${name}.js`), ...args, "--for-site"],
    // The channel closes when this process ends, however it ends, and tells the tool to stop.
    { stdio: ["ignore", "ignore", "inherit", "ipc"] },
  );
  killAtExit(started);
  started.unref();
  started.channel?.unref();
  lowerPriority(started, 5);
  return started;
}
