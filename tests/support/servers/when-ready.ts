import type { ChildProcess } from "node:child_process";

/** Waits until a server's error output contains the text. */
export async function whenReady<Server extends ChildProcess>(server: Server, text: string): Promise<Server> {
  let output = "";
  for await (const chunk of server.stderr!.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes(text)) {
      server.stderr!.resume();
      return server;
    }
  }
  throw new Error(`${server.spawnfile} did not start: ${output}`);
}
