import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { minutes, seconds } from "../units.ts";

/**
 * Ends children of the site that run for long. A hostile name or file can keep such a child busy for ever. It then
 * notices neither SIGTERM nor the end of the site; only SIGKILL ends it.
 */

/** A child sends one at intervals while it can. `at` names its present work, or is "" if it has none. */
type Beat = { at: string };

const beatEveryMs = seconds(10);
/** Reading a slow disk does not delay beats, only computing does. */
const maxSilenceMs = minutes(5);
/** How long a child may take to react to SIGTERM. The site itself ends soon after this. */
const maxFarewellMs = seconds(0.4);

/** For the child: tells the site that it is alive. Returns a function that names its present work. */
export function sendBeats(): (at: string) => void {
  let at = "";
  // Without the callback, a beat that the ended site cannot receive would be an uncaught error.
  const send = () => void process.send?.({ at } satisfies Beat, undefined, {}, () => {});
  send();
  setInterval(send, beatEveryMs).unref();
  return (now) => {
    at = now;
    send();
  };
}

/** Kills a child that sends no beats. `onKill` gets the name of its last work. */
export function endIfSilent(child: ChildProcess, onKill: (at: string) => void): void {
  let at = "";
  const timer = setTimeout(() => {
    onKill(at);
    child.kill("SIGKILL");
  }, maxSilenceMs).unref();
  child.on("message", (beat: Beat) => {
    at = beat.at;
    timer.refresh();
  });
  for (const event of ["close", "error"]) child.once(event, () => clearTimeout(timer));
}

/** Returns once the child has ended. */
export async function endChild(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), maxFarewellMs);
  await closed.finally(() => clearTimeout(timer));
}

const running = new Set<ChildProcess>();
process.on("exit", killChildren);

/** For a process that ends. It may be killed before its work has ended, and would then leave its children behind. */
export function killChildren(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Without this, a busy child would outlive this process. */
export function killAtExit(child: ChildProcess): void {
  running.add(child);
  for (const event of ["close", "error"]) child.once(event, () => running.delete(child));
}
