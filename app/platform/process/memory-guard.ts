import { sizeText } from "../units.ts";

/**
 * Ends this process when it uses more memory than `bytes`, and says so on standard error. Node's own limit counts
 * neither buffers nor what native code uses.
 */
export function exitAbove(bytes: number, everyMs: number, exitCode = 1): void {
  const endIfAbove = () => {
    if (process.memoryUsage.rss() <= bytes) return;
    process.stderr.write(`${process.argv[1]} ends: it uses more than ${sizeText(bytes)}\n`);
    process.exit(exitCode);
  };
  setInterval(endIfAbove, everyMs).unref();
}
