import type { Visitor } from "#tests/support/requests/visitor.ts";

type SlowRequest = {
  method?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** The body is sent when the site asks for it. Without this, the site begins a short request when its body is complete. */
  isAskedFor?: boolean;
};

/**
 * Sends a body byte by byte, and calls `beforeTheLast` before its last byte. The streams between here and the route hold
 * only a few bytes, so by then the route is reading the body: its guards have let the request in.
 */
export function sendSlowly(
  visitor: Visitor,
  path: string,
  { method = "POST", json, form = {}, isAskedFor = false }: SlowRequest,
  beforeTheLast: () => Promise<unknown>,
): Promise<Response> {
  const [text, type] =
    json === undefined
      ? [new URLSearchParams(form).toString(), "application/x-www-form-urlencoded"]
      : [JSON.stringify(json), "application/json"];
  const bytes = Buffer.from(text);
  let sent = 0;
  const body = new ReadableStream({
    async pull(controller) {
      const isLast = sent === bytes.length - 1;
      if (isLast) await beforeTheLast();
      controller.enqueue(bytes.subarray(sent, sent + 1));
      sent++;
      if (isLast) controller.close();
    },
  });
  const init = {
    method,
    headers: {
      "Content-Type": type,
      "Content-Length": String(bytes.length),
      ...(isAskedFor && { Expect: "100-continue" }),
    },
    body,
    duplex: "half",
  };
  return visitor.request(path, init);
}
