import { filmsForAnybodyText } from "#app/domain/films/films.ts";
import type { SignUpState } from "#app/domain/joining/joining.server.ts";
import { closeSignUpText } from "#app/domain/joining/joining.ts";
import { openProxyText } from "#app/domain/proxy/proxy.ts";
import { demonstrationId, setupPath, watchPath } from "#app/paths.ts";
import { browsableUrl } from "#app/platform/browsable-url.ts";
import type { Env } from "#app/platform/process/env.server.ts";
import { isLocalMode, isLoopbackHost } from "#app/platform/upstream/local-mode.ts";

/** `isClosed`: strangers get only the pages that signing in and signing up need, and so no film of the video proxy. */
type SiteFacts = Env & { hasFilms: boolean; isClosed: boolean };

/**
 * The lines that the operator reads after the start: the address, the next step, what is open to everybody, and what is
 * not used.
 */
export function startNotice(
  env: SiteFacts,
  url: string,
  signUps: SignUpState,
  /** Null if there already is an operator. */
  setupCode: string | null,
): string[] {
  const site = env.PUBLIC_URL ?? browsableUrl(url);
  return [
    `Engawa is at ${site}`,
    ...(setupCode === null ? [] : listSetup(env, site, setupCode)),
    `  demonstration  ${site}${watchPath(demonstrationId, 1)}`,
    `  from outside   ${outsideAccessText(env, url)}`,
    ...listNotes(env, signUps).map((line) => `  note           ${line}`),
  ];
}

/** In local mode, a browser on this machine needs no code. */
function listSetup(env: Env, site: string, code: string) {
  if (isLocalMode(env)) return [`  set up         ${site}${setupPath()}`];
  const isElsewhere = env.PUBLIC_URL === undefined && !isLoopbackHost(env.HOST);
  return [
    `  set up         ${site}${setupPath(code)}`,
    ...(isElsewhere
      ? ["                 on another device, put the address of this machine in the place of localhost"]
      : []),
  ];
}

function outsideAccessText(env: Env, url: string) {
  if (env.PUBLIC_URL) return `at ${env.PUBLIC_URL}, if your proxy or tunnel forwards it to ${url}`;
  if (isLoopbackHost(env.HOST))
    return "only this machine can reach the site. To open it to the network: HOST=0.0.0.0 npm start";
  return `http://<this machine's address>:${new URL(url).port || 80}. If people open it by a domain name or https, set PUBLIC_URL`;
}

function listNotes(env: SiteFacts, signUps: SignUpState): string[] {
  const isReachable = env.PUBLIC_URL !== undefined || !isLoopbackHost(env.HOST);
  return [
    isLocalMode(env) &&
      "local mode is on: browsers on this machine may load films and pictures from other servers on it. ALLOW_PRIVATE_UPSTREAMS=0 turns this off",
    isReachable &&
      (env.SIGNUPS ?? signUps.mode) === "open" &&
      signUps.warning === null &&
      `anybody may sign up. To prevent this, ${closeSignUpText(env)}`,
    signUps.warning !== null && signUps.warning,
    env.SIGNUP_CODE !== undefined &&
      env.SIGNUPS !== "code" &&
      "SIGNUP_CODE is not used. To let people sign up with it, set SIGNUPS=code",
    filmsForAnybodyText(env, signUps.mode === "open"),
    !env.isClosed && openProxyText(env),
  ].filter((line) => typeof line === "string");
}
