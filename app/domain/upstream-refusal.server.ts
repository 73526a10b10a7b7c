import { type ErrorCode, type Refusal, refuse } from "#app/domain/errors.ts";
import { inSeconds, sizeText } from "#app/platform/units.ts";
import type { FetchRefusal } from "#app/platform/upstream/fetch-refusal.server.ts";

/**
 * The error texts of both proxies for a URL that they could not fetch. They contain no URL or IP address, so that a
 * client learns nothing about the network of this server.
 */
const refusalTexts: Record<
  Exclude<FetchRefusal["reason"], "timed_out" | "too_large" | "refused_address" | "bad_url">,
  [ErrorCode, string]
> = {
  loop: ["invalid", "This address belongs to this service itself, so it is not fetched"],
  not_allowed: [
    "invalid",
    "The video proxy may not fetch from this host; the operator can allow it with PROXY_ALLOWED_HOSTS",
  ],
  name_not_found: ["upstream_failed", "The host name in this address was not found"],
  connection_refused: ["upstream_failed", "The server at this address refused the connection"],
  unreachable: ["upstream_failed", "The server at this address cannot be reached from here"],
  too_many_redirects: ["upstream_failed", "The server at this address redirects too many times"],
  reset: ["upstream_failed", "The server at this address closed the connection too early"],
  tls: ["upstream_failed", "The server at this address has no valid certificate"],
  bad_answer: ["upstream_failed", "The server at this address answered with something that is not HTTP"],
  busy: ["overloaded", "Too many requests to the server at this address; try again shortly"],
  aborted: ["upstream_failed", "The request was cancelled"],
};

const badUrlText: Record<Extract<FetchRefusal, { reason: "bad_url" }>["why"], string> = {
  malformed: "This is not a valid address",
  scheme: "Only http and https addresses can be fetched",
  credentials: "Addresses with a user name or password are not fetched",
};

export function refusalOfFetch(refusal: FetchRefusal): Refusal {
  switch (refusal.reason) {
    case "bad_url":
      return refuse("invalid", badUrlText[refusal.why]);
    case "refused_address":
      return refuse(
        "invalid",
        refusal.settingWouldAllow
          ? "This address is in a private network; the operator can allow it with ALLOW_PRIVATE_UPSTREAMS"
          : "This address is reserved and never fetched",
      );
    case "timed_out":
      return refuse(
        "upstream_failed",
        `The server at this address timed out after ${inSeconds(refusal.afterMs)} s`,
      );
    case "too_large":
      return refuse(
        "invalid",
        `The content at this address is too large (over ${sizeText(refusal.maxBytes)})`,
      );
    default:
      return refuse(...refusalTexts[refusal.reason]);
  }
}

export function refusalOfStatus(status: number): Refusal {
  if (status === 404 || status === 410)
    return refuse("not_found", `The server at this address answered ${status}`);
  return refuse("upstream_failed", `The server at this address answered ${status}`);
}

/** For a URL that cannot be judged without the database. */
export const silentDatabaseRefusal = refuse("overloaded", "The database does not answer; try again shortly");

/* Uploads are refused with these too. */
export const notAnImageRefusal = refuse("invalid", "This is not an image that can be read");
export const tooManyPixelsRefusal = refuse("invalid", "This image is too large: it has too many pixels");
