import { errors } from "undici";
import { tooManyParts } from "../joined-parts.server.ts";
import { seconds } from "../units.ts";
import { LookupFailure } from "./names/name-query.server.ts";

type PlainReason =
  | "loop"
  | "not_allowed"
  | "name_not_found"
  | "connection_refused"
  | "unreachable"
  | "too_many_redirects"
  | "reset"
  | "tls"
  | "bad_answer"
  | "busy"
  | "aborted";

/** The reasons why a request to an upstream got no usable answer. */
export type FetchRefusal = { ok: false } & (
  | { reason: "bad_url"; why: "malformed" | "scheme" | "credentials" }
  | {
      reason: "refused_address";
      /** True if ALLOW_PRIVATE_UPSTREAMS can allow this IP address. */
      settingWouldAllow: boolean;
    }
  | { reason: "timed_out"; afterMs: number }
  | { reason: "too_large"; maxBytes: number }
  | { reason: PlainReason }
);

export class FetchTimeout extends Error {
  override name = "FetchTimeout";
  readonly afterMs: number;
  constructor(afterMs: number) {
    super("the upstream took too long");
    this.afterMs = afterMs;
  }
}

const reasons: Record<string, PlainReason> = {
  ECONNREFUSED: "connection_refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EAFNOSUPPORT: "unreachable",
  EINVAL: "unreachable",
  // A packet filter on this machine refuses connections with these codes.
  EACCES: "unreachable",
  EPERM: "unreachable",
  ECONNRESET: "reset",
  EPIPE: "reset",
  UND_ERR_SOCKET: "reset",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "reset",
  UND_ERR_ABORTED: "aborted",
  ABORT_ERR: "aborted",
  UND_ERR_HEADERS_OVERFLOW: "bad_answer",
  [tooManyParts]: "bad_answer",
};

const timeouts: Record<string, keyof typeof defaultFetchLimits> = {
  UND_ERR_CONNECT_TIMEOUT: "connectMs",
  ETIMEDOUT: "connectMs",
  UND_ERR_HEADERS_TIMEOUT: "firstByteMs",
  UND_ERR_BODY_TIMEOUT: "idleMs",
};

export const defaultFetchLimits = { connectMs: seconds(5), firstByteMs: seconds(15), idleMs: seconds(15) };

/** Turns an error of the connection or of the body into a refusal. Rethrows every other error, because it is a bug. */
export function fetchRefusalOf(error: unknown, limits = defaultFetchLimits): FetchRefusal {
  if (error instanceof FetchTimeout) return { ok: false, reason: "timed_out", afterMs: error.afterMs };
  if (error instanceof LookupFailure) return refusalOfLookup(error, limits.connectMs);
  const code = codeOf(error);
  const limit = timeouts[code];
  if (limit) return { ok: false, reason: "timed_out", afterMs: limits[limit] };
  const reason = reasons[code];
  if (reason) return { ok: false, reason };
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO|HOSTNAME_MISMATCH)/.test(code))
    return { ok: false, reason: "tls" };
  if (error instanceof errors.HTTPParserError || code.startsWith("HPE_"))
    return { ok: false, reason: "bad_answer" };
  if (error instanceof Error && error.name === "AbortError") return { ok: false, reason: "aborted" };
  throw error;
}

function refusalOfLookup({ reason }: LookupFailure, connectMs: number): FetchRefusal {
  if (reason === "timed_out") return { ok: false, reason, afterMs: connectMs };
  return { ok: false, reason: reason === "busy" ? reason : "name_not_found" };
}

/** If the attempts at several IP addresses fail, the error is an AggregateError without a code. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string" && code !== "") return code;
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error.cause instanceof Error ? codeOf(error.cause) : "";
}
