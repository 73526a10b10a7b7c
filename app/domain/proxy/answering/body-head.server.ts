import type { Readable } from "node:stream";

/**
 * The beginning of a body, which `readHead` puts back with `unshift`. If the body is shorter than the wanted bytes,
 * `isAll` is true, `head` holds the whole body, and nothing is put back.
 */
export type BodyHead = { head: Buffer; isAll: boolean };

/** The longest wait after the first bytes, so that an upstream that sends byte by byte cannot delay the response. */
const maxWaitMs = 1000;

export async function readHead(body: Readable, wantedBytes: number): Promise<BodyHead> {
  const chunks: Buffer[] = [];
  let length = 0;
  let deadline: number | undefined;
  while (length < wantedBytes) {
    const chunk: Buffer | null = body.read();
    if (chunk) {
      chunks.push(chunk);
      length += chunk.length;
      deadline ??= performance.now() + maxWaitMs;
      continue;
    }
    if (body.readableEnded) return { head: Buffer.concat(chunks, length), isAll: true };
    if (deadline !== undefined && performance.now() >= deadline) break;
    await waitForMore(body, deadline);
  }
  const head = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length);
  if (length > 0) body.unshift(head);
  return { head, isAll: false };
}

function waitForMore(body: Readable, deadline: number | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (body.destroyed) return reject(body.errored ?? new UpstreamBrokeOff());
    const settle = (error?: Error) => {
      clearTimeout(timer);
      body.off("readable", onReadable).off("end", onReadable).off("error", settle).off("close", onClose);
      if (error) reject(error);
      else resolve();
    };
    const onReadable = () => settle();
    const onClose = () => settle(body.errored ?? new UpstreamBrokeOff());
    const timer = deadline && setTimeout(onReadable, Math.max(1, deadline - performance.now()));
    body.on("readable", onReadable).on("end", onReadable).on("error", settle).on("close", onClose);
  });
}

class UpstreamBrokeOff extends Error {
  override name = "UpstreamBrokeOff";
  readonly code = "ECONNRESET";
}
