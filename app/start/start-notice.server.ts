import { watchPath } from "#app/paths.ts";
import type { Env } from "#app/platform/process/env.server.ts";
import { isLocalMode, isLoopbackHost } from "#app/platform/upstream/local-mode.ts";

/** The work that shows what the product does before anything is set up. */
const demoText = watchPath(900000001, 1);

/** What the operator reads once the server listens: where it is, what to do next, and what stands open. */
export function startNotice(env: Env, address: string): string[] {
  const site = env.PUBLIC_URL ?? dialable(address);
  return [
    `Engawa is at ${site}`,
    `  demonstration  ${site}${demoText}`,
    `  from outside   ${reach(env, address)}`,
    "  operator       sign up, then npm run user -- operator YOUR-EMAIL",
    ...standsOpen(env).map((line) => `  note           ${line}`),
  ];
}

/** An address of no particular interface is none that a browser can open. */
const dialable = (address: string) =>
  address.replace("//0.0.0.0:", "//localhost:").replace("//[::]:", "//localhost:").replace(/:80$/, "");

function reach(env: Env, address: string) {
  if (env.PUBLIC_URL) return `at ${env.PUBLIC_URL}, through whatever forwards it to ${address}`;
  if (isLoopbackHost(env.HOST))
    return "not yet: only this machine can reach it. HOST=0.0.0.0 npm start opens it to the network";
  return `http://<this machine's address>:${new URL(address).port || 80}. Behind a name or TLS, set PUBLIC_URL`;
}

function standsOpen(env: Env): string[] {
  const isReachable = env.PUBLIC_URL !== undefined || !isLoopbackHost(env.HOST);
  return [
    isLocalMode(env) &&
      "local mode: from this machine, films and pictures of servers on this machine may be fetched. ALLOW_PRIVATE_UPSTREAMS=0 closes that",
    isReachable &&
      env.SIGNUPS === "open" &&
      "anybody may sign up. SIGNUPS=closed, or SIGNUPS=code with SIGNUP_CODE, changes that",
    isReachable &&
      !env.PROXY_ALLOWED_HOSTS &&
      !env.PROXY_SIGNING_SECRET &&
      "anybody may fetch films through the video proxy. PROXY_ALLOWED_HOSTS or PROXY_SIGNING_SECRET closes it",
  ].filter((line) => line !== false);
}
