import { createCookie, redirect } from "react-router";
import { Authenticator } from "remix-auth";
import { z } from "zod";
import type { ProviderProfile } from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { homePath, providerCallbackPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { cacheHeaders, noStore } from "../cache-policy.server.ts";
import { ProviderDown, providerMetadata } from "./provider-metadata.server.ts";
import { ProviderRefused, StrictProviderStrategy } from "./provider-strategy.server.ts";

/** Sends the browser to the external identity provider, and takes the person in when the browser comes back. */

type Attempt = z.output<typeof attemptShape>;
const attemptShape = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  /** The page that the browser goes to after the sign-in. */
  redirectTo: z.string(),
  /** True if the visitor entered the sign-up code. */
  invited: z.boolean(),
  startedAt: z.number(),
});

const attemptLifetimeMs = minutes(10);
/** More tabs than a person signs in with at the same time. */
const maxAttempts = 5;
/** Browsers refuse a cookie of more than 4096 bytes. The rest is for its name, signature and attributes. */
const maxCookieBytes = 3800;

/**
 * One cookie holds the attempts of all tabs. A name for each attempt would fill the browser's headers until they get a
 * 431.
 */
function attemptCookie() {
  const secure = env.PUBLIC_URL?.startsWith("https:") ?? false;
  return createCookie(secure ? "__Host-engawa-provider" : "engawa-provider", {
    httpOnly: true,
    // The provider sends the browser back with a top-level GET, which Lax lets through.
    sameSite: "lax",
    secure,
    path: "/",
    maxAge: inSeconds(attemptLifetimeMs),
    secrets: getSigningSecrets(),
  });
}

/** The attempts that this browser has started and not finished, the newest first. */
async function readAttempts(request: Request): Promise<Attempt[]> {
  const kept: unknown = await attemptCookie().parse(request.headers.get("Cookie"));
  const attempts = z.array(attemptShape).safeParse(kept).data ?? [];
  return attempts.filter(({ startedAt }) => startedAt > Date.now() - attemptLifetimeMs);
}

/** The attempt to which this callback belongs, so that each of several tabs finishes its own. */
async function readAttempt(request: Request): Promise<Attempt | null> {
  const state = new URL(request.url).searchParams.get("state");
  return (await readAttempts(request)).find((attempt) => attempt.state === state) ?? null;
}

/** Leaves out the oldest attempts that do not fit. */
async function cookieOf(attempts: Attempt[]): Promise<string> {
  const cookie = await attemptCookie().serialize(attempts);
  return cookie.length <= maxCookieBytes || attempts.length === 1 ? cookie : cookieOf(attempts.slice(0, -1));
}

export const isProviderConfigured = () => env.OAUTH_ISSUER !== undefined;

/** The button names the host that the browser goes to. */
export const providerName = () => (env.OAUTH_ISSUER ? new URL(env.OAUTH_ISSUER).host : null);

async function providerStrategy() {
  const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: id, OAUTH_CLIENT_SECRET: secret, PUBLIC_URL: origin } = env;
  if (!issuer || !id || !secret) throw new ProviderDown("no provider is configured");
  const redirectUri = `${origin}${providerCallbackPath()}`;
  return new StrictProviderStrategy(await providerMetadata(issuer), { id, secret, redirectUri, readAttempt });
}

export async function startProviderSignIn(
  request: Request,
  wanted: Pick<Attempt, "redirectTo" | "invited">,
): Promise<Outcome<Response>> {
  try {
    const { url, attempt } = (await providerStrategy()).start();
    const started = { ...attempt, ...wanted, startedAt: Date.now() };
    const cookie = await cookieOf([started, ...(await readAttempts(request))].slice(0, maxAttempts));
    const headers = { "Set-Cookie": cookie, ...cacheHeaders(noStore) };
    return done(redirect(url.href, { headers }));
  } catch (error) {
    return refusalOf(error);
  }
}

type FinishedAttempt = { profile: ProviderProfile; redirectTo: string; invited: boolean };

export async function finishProviderSignIn(request: Request): Promise<Outcome<FinishedAttempt>> {
  try {
    const authenticator = new Authenticator<ProviderProfile>();
    authenticator.use(await providerStrategy());
    const profile = await authenticator.authenticate("provider", request);
    const attempt = await readAttempt(request);
    return done({
      profile,
      redirectTo: attempt?.redirectTo ?? homePath(),
      invited: attempt?.invited ?? false,
    });
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Deletes the attempt after its own callback, whether or not the sign-in succeeded. A callback with another state
 * deletes nothing, so that nobody can end another person's attempt.
 */
export async function spentAttemptCookie(request: Request): Promise<string | null> {
  const spent = await readAttempt(request);
  if (!spent) return null;
  const others = (await readAttempts(request)).filter(({ state }) => state !== spent.state);
  return others.length > 0 ? cookieOf(others) : attemptCookie().serialize("", { maxAge: 0 });
}

function refusalOf(error: unknown) {
  if (error instanceof ProviderRefused) {
    log.warn("a provider's callback was refused", { why: error.message, ...causeFields(error) });
    return refuse("invalid", "Signing in through the provider did not work");
  }
  if (!(error instanceof ProviderDown)) throw error;
  log.error("the identity provider failed", { why: error.message, ...causeFields(error) });
  return refuse("upstream_failed", "The sign-in provider does not answer");
}

/** Logs only the name and code of the cause, since its message may hold a token or an address. */
const causeFields = ({ cause }: Error) => {
  if (cause === undefined) return {};
  const { error, code } = errorFields(cause);
  return { error, code };
};
