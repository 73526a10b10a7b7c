import type { CachePolicy } from "../cache-policy.server.ts";
import { answerStateContext, type Context } from "../context.server.ts";

/** Writes the headers of a policy and records the policy for the public cache. */
export function applyCachePolicy(headers: Headers, policy: CachePolicy, context: Context) {
  context.get(answerStateContext).cache = policy;
  headers.set("Cache-Control", policy.control);
  // With a session the answer can be another one, also for a browser that kept this one before its user signed in: a shared
  // cache before the site must not give to a child what it keeps of others.
  if (policy.control.startsWith("public") && !policy.isOfNoTitle) headers.append("Vary", "Cookie");
  if (policy.expiresInMs === undefined) return;
  headers.set("Expires", new Date(Date.now() + policy.expiresInMs).toUTCString());
  headers.append("Vary", "Accept-Encoding");
}
