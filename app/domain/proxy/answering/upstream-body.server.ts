import { Readable } from "node:stream";
import { dropBody, headerOf, isEncoded } from "#app/platform/upstream/read-body.server.ts";
import type { SafeResponse } from "#app/platform/upstream/safe-fetch.server.ts";
import type { BodyHead } from "./body-head.server.ts";
import { type RangePlan, sliceBytes } from "./ranges.ts";

/** Reads an upstream's headers without trusting them, and prepares its body for sending. */

type Headers = SafeResponse["headers"];

/** The length of the body as we send it; undefined if it is not known before sending. */
export function lengthOf(headers: Headers, seen: BodyHead | undefined): number | undefined {
  if (seen?.isAll) return seen.head.length;
  const length = headerOf(headers, "content-length");
  return length === undefined || isEncoded(headers) ? undefined : Number(length);
}

/** Passes only well-formed tags on, because clients send them back and we send them to the upstream again. */
export function entityTag(headers: Headers): string | undefined {
  const tag = headerOf(headers, "etag");
  return tag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(tag) ? tag : undefined;
}

export function lastModified(headers: Headers): string | undefined {
  const date = headerOf(headers, "last-modified");
  return date !== undefined && /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(date) ? date : undefined;
}

type PlannedBody = {
  plan: RangePlan;
  seen: BodyHead | undefined;
  /** The length that the upstream announced. */
  length: number | undefined;
};

/**
 * Cuts the body to the planned part if the upstream did not. This includes a Content-Range answer without a length: if
 * it had more bytes than announced, the client would read the rest as our next response on the same connection.
 */
export function bodyOfPlan(body: Readable, { plan, seen, length }: PlannedBody): Readable | Buffer | null {
  if (plan.send !== "whole" && plan.send !== "part") {
    dropBody(body);
    return null;
  }
  const [skip, wanted] =
    plan.send === "part" ? [plan.skip, plan.part.end - plan.part.start + 1] : [0, plan.size];
  if (seen?.isAll) return wanted === undefined ? seen.head : seen.head.subarray(skip, skip + wanted);
  if (wanted === undefined || wanted === length) return body;
  const cut = Readable.from(sliceBytes(body, skip, wanted), { objectMode: false });
  cut.once("close", () => dropBody(body));
  return cut;
}
