import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Ends a program, unless it has ended already, and waits until it has. */
export async function endProgram(program: ChildProcess, signal?: NodeJS.Signals) {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill(signal);
  await once(program, "exit");
}
