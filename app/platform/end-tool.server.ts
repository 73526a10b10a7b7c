import { endProcess } from "./cannot-start.server.ts";

/**
 * Runs a command-line tool to its exit code: 2 for words it does not know. It ends when its work is done and what it
 * printed is out, whatever socket may still be opening: the driver keeps one that nobody waits for any more.
 */
export async function runTool(run: () => Promise<number>, close: () => Promise<void>): Promise<never> {
  const code = await run().catch((error: unknown) => {
    if (!(error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) return endProcess(error);
    process.stderr.write(`${(error as Error).message}\n--help shows the options.\n`);
    return 2;
  });
  await close();
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}
