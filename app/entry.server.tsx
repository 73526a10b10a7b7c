import { isbot } from "isbot";
import { type RenderToPipeableStreamOptions, renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { privateNoStore } from "#app/http/cache-policy.server.ts";
import {
  type AnswerState,
  answerStateContext,
  type Context,
  clientContext,
  signalIn,
} from "#app/http/context.server.ts";
import { refusedPage } from "#app/http/guards/page-limits.server.ts";
import { logFailure } from "#app/http/log-failure.server.ts";
import { JoinedWrites } from "#app/http/server/joined-writes.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { pathWithoutSecret } from "#app/paths.ts";
import { seconds } from "#app/platform/units.ts";
import { overloadTexts } from "#app/ui/shell/error-page.tsx";
import { NonceContext } from "#app/ui/shell/nonce.ts";
import { RequestIdContext } from "#app/ui/shell/request-id.ts";

/** The time limit for data that arrives after the first part of a page. A part whose data is late shows an error. */
export const streamTimeout = seconds(5);

/** A full error page would cost a refused request as much as the page. */
const refusalTexts = new Map([
  [429, overloadTexts.tooMany],
  [503, overloadTexts.busy],
]);

export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Response | Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", privateNoStore.control);
  if (request.method === "HEAD" || signalIn(context).aborted) return new Response(null, { status, headers });
  const refusal = entryContext.staticHandlerContext.errors && refusalTexts.get(status);
  if (refusal) return new Response(refusedPage(refusal, status).body, { status, headers });
  return render(request, { status, headers }, entryContext, context);
}

function render(
  request: Request,
  init: { status: number; headers: Headers },
  entryContext: EntryContext,
  context: Context,
) {
  const { nonce, requestId } = context.get(clientContext);
  const answerState = context.get(answerStateContext);
  const signal = signalIn(context);
  const waitsForAll = isSentWhole(request, answerState) || entryContext.isSpaMode;
  return new Promise<Response>((resolve, reject) => {
    let isShellSent = false;
    const body = new JoinedWrites();
    const stop = () => abort();
    if (answerState.isForManyVisitors) signal.addEventListener("abort", stop, { once: true });
    let noteRendered = () => {};
    answerState.rendered = new Promise((done) => {
      noteRendered = done;
    });
    const limit = setTimeout(stop, streamTimeout + seconds(1));
    body.once("close", () => {
      clearTimeout(limit);
      noteRendered();
      stop();
    });
    const send = () => {
      isShellSent = true;
      resolve(respondWithNode(context, pipe(body), init));
    };
    const options: RenderToPipeableStreamOptions = {
      nonce,
      // React would send large parts last and move them into place with a script, which some visitors do not run.
      progressiveChunkSize: Number.MAX_SAFE_INTEGER,
      onShellReady() {
        if (!waitsForAll) send();
      },
      onAllReady() {
        noteRendered();
        if (waitsForAll) send();
      },
      onShellError(error) {
        body.destroy();
        reject(error);
      },
      onError(error) {
        answerState.isNeverCached = true;
        if (isShellSent && !signal.aborted && !body.destroyed)
          logFailure("a part of a page failed to render", error);
      },
    };
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext value={nonce}>
        <RequestIdContext value={requestId}>
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </RequestIdContext>
      </NonceContext>,
      options,
    );
  });
}

/** Crawlers run no script and would miss the parts that arrive later, so they get the whole page at once. */
const isSentWhole = (request: Request, { isForManyVisitors = false }: AnswerState) =>
  isForManyVisitors || isbot(request.headers.get("User-Agent"));

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (signalIn(context).aborted || isRouteErrorResponse(error)) return;
  logFailure("a page failed", error, { path: pathWithoutSecret(new URL(request.url).pathname) });
};
