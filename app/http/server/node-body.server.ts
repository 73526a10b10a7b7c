import { Readable } from "node:stream";
import { type AnswerState, answerStateContext, type Context } from "../context.server.ts";

/**
 * Sends large bodies without web streams, which are slow: the route puts a Node stream or a Buffer into the answer's
 * state, and the adapter pipes it to the socket. A header marks the response that the body belongs to. Without the
 * mark, a response that replaces the route's own (an error, a limiter's refusal) would be sent with the route's body.
 */
const marker = "X-Node-Body";

type NodeBody = Readable | Buffer;

export function respondWithNode(context: Context, body: NodeBody, init: ResponseInit = {}): Response {
  const answerState = findAnswerState(context);
  if (!answerState)
    return new Response(webStreamOf(Buffer.isBuffer(body) ? Readable.from([body]) : body), init);
  dropNodeBody(answerState);
  answerState.nodeBody = body;
  // The stream may fail before it is piped, and an error event without a listener would end the process.
  if (!Buffer.isBuffer(body)) body.on("error", () => {});
  const response = new Response(null, init);
  response.headers.set(marker, "1");
  return response;
}

/**
 * Returns the body that belongs to the response with these headers. Destroys a stream that belongs to another response.
 */
export function moveNodeBody(headers: Headers, answerState: AnswerState): NodeBody | null {
  if (headers.has(marker)) {
    headers.delete(marker);
    return answerState.nodeBody ?? null;
  }
  dropNodeBody(answerState);
  return null;
}

export function dropNodeBody({ nodeBody }: AnswerState) {
  if (nodeBody && !Buffer.isBuffer(nodeBody)) nodeBody.destroy();
}

function findAnswerState(context: Context) {
  try {
    return context.get(answerStateContext);
  } catch {
    return undefined;
  }
}

/**
 * Reads only when its reader pulls. `Readable.toWeb` reads ahead, and when its source fails after the reader has
 * cancelled, it throws where no handler can catch the error.
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
