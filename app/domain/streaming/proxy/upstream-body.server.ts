import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type FetchRefusal, fetchRefusalOf } from "#app/platform/upstream/fetch-refusal.server.ts";
import { dropBody } from "#app/platform/upstream/read-body.server.ts";
import type { SafeResponse } from "#app/platform/upstream/safe-fetch.server.ts";
import type { BodyHead } from "./body-head.server.ts";
import { type RangePlan, sliceBytes } from "./ranges.ts";

/** What an upstream's answer says of its body, read with distrust, and the body in the form it is sent. */

type Headers = SafeResponse["headers"];

export const headerOf = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const decoders = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

const encodingOf = (headers: Headers) => {
  const named = headerOf(headers, "content-encoding")?.trim().toLowerCase() ?? "";
  return named === "identity" ? "" : named;
};

export const isEncoded = (headers: Headers) => encodingOf(headers) !== "";

/** Some servers compress whatever they send, asked or not. Null: in a way that is unknown here. */
export function decodedBody({ headers, body }: SafeResponse): Readable | null {
  if (!isEncoded(headers)) return body;
  const decoder = decoders.get(encodingOf(headers))?.();
  if (decoder) pipeline(body, decoder, () => {});
  return decoder ?? null;
}

/** How many bytes the body has as we send it, where that is known beforehand. */
export function lengthOf(headers: Headers, seen: BodyHead | undefined): number | undefined {
  if (seen?.isAll) return seen.head.length;
  const length = headerOf(headers, "content-length");
  return length === undefined || isEncoded(headers) ? undefined : Number(length);
}

/** Passed on only in their strict forms: clients send them back, and we to the upstream again. */
export function entityTag(headers: Headers): string | undefined {
  const tag = headerOf(headers, "etag");
  return tag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(tag) ? tag : undefined;
}

export function lastModified(headers: Headers): string | undefined {
  const date = headerOf(headers, "last-modified");
  return date !== undefined && /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(date) ? date : undefined;
}

type Sent = {
  plan: RangePlan;
  seen: BodyHead | undefined;
  /** What the upstream says its body has. */
  length: number | undefined;
};

/**
 * The body that a plan asks for, cut here where the upstream did not: also behind a Content-Range without a length,
 * where more bytes than it names would be read as our next answer on the same connection.
 */
export function bodyOfPlan(body: Readable, { plan, seen, length }: Sent): Readable | Buffer | null {
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

/** A body that fails while it is looked at fails like a connection; one that cannot be decoded is nonsense. */
export function refusalOfBodyError(error: unknown): FetchRefusal {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) return { ok: false, reason: "bad_answer" };
  return fetchRefusalOf(error);
}
