import { Readable } from "node:stream";
import { type AnswerNotes, answerNotesContext, type Context } from "../context.server.ts";

/**
 * Large bodies go around web streams: the route leaves a Node stream, or bytes it holds, in the answer's notes, and
 * the adapter pipes them to the socket. A header ties the two together, so that an answer which replaces the route's (an error, a
 * limiter) never goes out with the body of another.
 */
const marker = "X-Node-Body";

type NodeBody = Readable | Buffer;

export function respondWithNode(context: Context, body: NodeBody, init: ResponseInit = {}): Response {
  const notes = findNotes(context);
  if (!notes) return new Response(webStreamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body), init);
  dropNodeBody(notes);
  notes.nodeBody = body;
  // It may fail before anybody pipes it; an error without a listener would end the process.
  if (!Buffer.isBuffer(body)) body.on("error", () => {});
  const response = new Response(null, init);
  response.headers.set(marker, "1");
  return response;
}

/** The body that belongs to this response; a stream that belongs to another is destroyed. */
export function moveNodeBody(headers: Headers, notes: AnswerNotes): NodeBody | null {
  if (headers.has(marker)) {
    headers.delete(marker);
    return notes.nodeBody ?? null;
  }
  dropNodeBody(notes);
  return null;
}

export function dropNodeBody({ nodeBody }: AnswerNotes) {
  if (nodeBody && !Buffer.isBuffer(nodeBody)) nodeBody.destroy();
}

function findNotes(context: Context) {
  try {
    return context.get(answerNotesContext);
  } catch {
    return undefined;
  }
}

/**
 * Pulls only as the reader asks. `Readable.toWeb` reads ahead, and throws out of reach of any handler when its
 * source fails after the reader left.
 */
export function webStreamOf(
  readable: Readable,
  { destroyOnCancel = true, onFirstPull = () => {}, onBytes = (_count: number) => {} } = {},
): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!chunks) onFirstPull();
        chunks ??= readable.iterator({ destroyOnReturn: destroyOnCancel });
        const { done, value } = await chunks.next();
        if (done) return controller.close();
        onBytes(value.byteLength);
        controller.enqueue(value);
      },
      async cancel() {
        if (destroyOnCancel) readable.destroy();
        await chunks?.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
