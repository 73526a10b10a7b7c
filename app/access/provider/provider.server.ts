import { createCookie, redirect } from "react-router";
import { Authenticator } from "remix-auth";
import { z } from "zod";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { ProviderProfile } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { carriesRestrictedSession } from "#app/http/guards/session-cookie.server.ts";
import { homePath, providerCallbackPath } from "#app/paths.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { ProviderOutage, providerMetadata } from "./provider-metadata.server.ts";
import { ProviderRefusal, StrictProviderStrategy } from "./provider-strategy.server.ts";

/** Sends the browser to the external identity provider, and signs the person in when the browser comes back. */

type Attempt = z.output<typeof attemptShape>;
const attemptShape = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  /** The page that the browser goes to after the sign-in. */
  redirectTo: z.string(),
  /** Set if the visitor may create an account: by the sign-up code, or by the invitation with this hash. */
  admission: z.object({ invitation: z.string().nullable() }).optional(),
  mustProve: z.boolean().optional(),
  startedAt: z.number(),
});

const attemptLifetimeMs = minutes(10);
/** More tabs than a person signs in with at the same time. */
const maxAttempts = 5;
/** Small, because simultaneous starts leave one cookie each, and all headers of a request together may have 16 KiB. */
const maxCookieBytes = 2400;
/**
 * More than simultaneous starts leave. The headers of a request have room for hundreds, and each one reads all again. The
 * newest come last (RFC 6265, section 5.4), and the person is about to finish one of those.
 */
const maxCookies = 20;

const isSecure = () => env.PUBLIC_URL?.startsWith("https:") ?? false;
const cookieName = () => (isSecure() ? "__Host-engawa-provider" : "engawa-provider");

/**
 * Each start sets a cookie with its own name, so that two simultaneous starts do not overwrite each other. The new
 * cookie takes over the attempts of the cookies that the browser sent, and those are deleted. A browser therefore keeps
 * one cookie, however often it starts.
 */
function attemptCookie(name: string) {
  return createCookie(name, {
    httpOnly: true,
    // The provider sends the browser back with a top-level GET, which Lax lets through.
    sameSite: "lax",
    secure: isSecure(),
    path: "/",
    maxAge: inSeconds(attemptLifetimeMs),
    secrets: getSigningSecrets(),
  });
}

/** The unfinished attempts of this browser, by the cookies that contain them. */
async function readCookies(request: Request) {
  const header = request.headers.get("Cookie") ?? "";
  const names = header.split(";").map((pair) => pair.slice(0, pair.indexOf("=")).trim());
  const ours = [...new Set(names)].filter((name) => name.startsWith(`${cookieName()}-`));
  return Promise.all(
    ours.slice(-maxCookies).map(async (name) => {
      const value: unknown = await attemptCookie(name).parse(header);
      const attempts = z.array(attemptShape).safeParse(value).data ?? [];
      return {
        name,
        attempts: attempts.filter(({ startedAt }) => startedAt > Date.now() - attemptLifetimeMs),
      };
    }),
  );
}

/** The attempt that this callback belongs to, so that each of several tabs finishes its own. */
async function readAttempt(request: Request): Promise<Attempt | null> {
  const state = new URL(request.url).searchParams.get("state");
  const cookies = await readCookies(request);
  return cookies.flatMap(({ attempts }) => attempts).find((attempt) => attempt.state === state) ?? null;
}

/** Drops the oldest attempts if the cookie would be too large. */
async function serialize(name: string, attempts: Attempt[]): Promise<string> {
  if (attempts.length === 0) return attemptCookie(name).serialize("", { maxAge: 0 });
  const cookie = await attemptCookie(name).serialize(attempts);
  return cookie.length <= maxCookieBytes || attempts.length === 1
    ? cookie
    : serialize(name, attempts.slice(0, -1));
}

async function startedCookies(started: Attempt, request: Request): Promise<string[]> {
  const before = await readCookies(request);
  const byState = new Map(before.flatMap(({ attempts }) => attempts).map((one) => [one.state, one]));
  const latestFirst = [started, ...[...byState.values()].sort((a, b) => b.startedAt - a.startedAt)];
  const name = `${cookieName()}-${started.state.slice(0, 8)}`;
  return Promise.all([
    serialize(name, latestFirst.slice(0, maxAttempts)),
    ...before.map((cookie) => serialize(cookie.name, [])),
  ]);
}

export const isProviderConfigured = () => env.OAUTH_ISSUER !== undefined;

/** The provider's host, shown on the sign-in button. */
export const providerName = () => (env.OAUTH_ISSUER ? new URL(env.OAUTH_ISSUER).host : null);

async function providerStrategy() {
  const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: id, OAUTH_CLIENT_SECRET: secret, PUBLIC_URL: origin } = env;
  if (!issuer || !id || !secret) throw new ProviderOutage("no provider is configured");
  const redirectUri = `${origin}${providerCallbackPath()}`;
  return new StrictProviderStrategy(await providerMetadata(issuer), { id, secret, redirectUri, readAttempt });
}

export async function startProviderSignIn(
  request: Request,
  { asksWho, ...wanted }: Pick<Attempt, "redirectTo" | "admission"> & { asksWho: boolean },
): Promise<Outcome<Response>> {
  try {
    // Without a new sign-in a child could come in as its parent, who may still be signed in at the provider in this
    // browser.
    const mustProve = asksWho || carriesRestrictedSession(request.headers.get("Cookie"));
    const { url, attempt } = (await providerStrategy()).start(mustProve);
    const started = { ...attempt, ...wanted, startedAt: Date.now() };
    const headers = new Headers(cacheHeaders(noStore));
    for (const cookie of await startedCookies(started, request)) headers.append("Set-Cookie", cookie);
    return done(redirect(url.href, { headers }));
  } catch (error) {
    return refusalOf(error);
  }
}

type FinishedAttempt = { profile: ProviderProfile; redirectTo: string } & Pick<Attempt, "admission">;

export async function finishProviderSignIn(request: Request): Promise<Outcome<FinishedAttempt>> {
  try {
    const authenticator = new Authenticator<ProviderProfile>();
    authenticator.use(await providerStrategy());
    const profile = await authenticator.authenticate("provider", request);
    const attempt = await readAttempt(request);
    return done({
      profile,
      redirectTo: attempt?.redirectTo ?? homePath(),
      admission: attempt?.admission,
    });
  } catch (error) {
    return refusalOf(error);
  }
}

/**
 * Deletes the attempt after its own callback, whether or not the sign-in succeeded. A callback with another state
 * deletes nothing, so that nobody can end another person's attempt.
 */
export async function spentAttemptCookies(request: Request): Promise<string[]> {
  const spent = await readAttempt(request);
  const cookies = await readCookies(request);
  return Promise.all(
    cookies
      .filter(({ attempts }) => attempts.some(({ state }) => state === spent?.state))
      .map(({ name, attempts }) =>
        serialize(
          name,
          attempts.filter(({ state }) => state !== spent?.state),
        ),
      ),
  );
}

function refusalOf(error: unknown) {
  if (error instanceof ProviderRefusal) {
    log.warn("a provider's callback was refused", { why: error.message, ...causeFields(error) });
    return refuse("invalid", "Signing in through the provider did not work");
  }
  if (!(error instanceof ProviderOutage)) throw error;
  log.error("the identity provider failed", { why: error.message, ...causeFields(error) });
  return refuse("upstream_failed", "The sign-in provider does not answer");
}

/** Logs only the name and code of the cause, since its message may hold a token or an address. */
const causeFields = ({ cause }: Error) => {
  if (cause === undefined) return {};
  const { error, code } = errorFields(cause);
  return { error, code };
};
