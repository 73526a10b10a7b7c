/**
 * A tool ends when its work is done and what it printed is out, whatever socket may still be opening: the driver keeps
 * one that nobody waits for any more.
 */
export async function endTool(code: number): Promise<never> {
  await new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  process.exit(code);
}
