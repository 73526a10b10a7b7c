import type { CachePolicy } from "../cache-policy.server.ts";
import { answerStateContext, type Context } from "../context.server.ts";

/** Writes the headers of a policy and records the policy for the public cache. */
export function applyCachePolicy(headers: Headers, policy: CachePolicy, context: Context) {
  context.get(answerStateContext).cache = policy;
  headers.set("Cache-Control", policy.control);
  // The answer depends on the session. `Vary: Cookie` keeps a shared cache from serving it to a restricted session, and a browser
  // that cached it before sign-in from showing it afterwards.
  if (policy.control.startsWith("public") && !policy.isOfNoTitle) headers.append("Vary", "Cookie");
  if (policy.expiresInMs === undefined) return;
  headers.set("Expires", new Date(Date.now() + policy.expiresInMs).toUTCString());
  headers.append("Vary", "Accept-Encoding");
}
