import { Readable } from "node:stream";
import { type AnswerNotes, answerNotesContext, type Context } from "../context.server.ts";

/**
 * Sends large bodies without web streams, which are slow: the route puts a Node stream or a Buffer into the answer's notes,
 * and the adapter pipes it to the socket. A header marks the response that the body belongs to. Without it, a response that
 * replaces the route's own (an error, a limiter's refusal) would go out with the route's body.
 */
const marker = "X-Node-Body";

type NodeBody = Readable | Buffer;

export function respondWithNode(context: Context, body: NodeBody, init: ResponseInit = {}): Response {
  const notes = findNotes(context);
  if (!notes) return new Response(webStreamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body), init);
  dropNodeBody(notes);
  notes.nodeBody = body;
  // The stream may fail before it is piped, and an error event without a listener would end the process.
  if (!Buffer.isBuffer(body)) body.on("error", () => {});
  const response = new Response(null, init);
  response.headers.set(marker, "1");
  return response;
}

/** Returns the body that belongs to the response with these headers. Destroys a stream that belongs to another response. */
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
 * Reads only when its reader asks. `Readable.toWeb` reads ahead, and when its source fails after the reader has cancelled,
 * it throws where no handler can catch the error.
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
