import { createCookie, redirect } from "react-router";
import { Authenticator } from "remix-auth";
import { z } from "zod";
import type { ProviderProfile } from "../domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "../domain/errors.ts";
import { inSeconds, minutes } from "../platform/duration.ts";
import { env } from "../platform/env.server.ts";
import { errorFields, log } from "../platform/log.server.ts";
import { signingSecrets } from "../platform/signing-secrets.server.ts";
import { ProviderDown, providerMetadata } from "./provider-metadata.server.ts";
import { ProviderRefused, StrictProviderStrategy } from "./provider-strategy.server.ts";

/** Signing in through the external identity provider: out to it, and back. */

type Attempt = z.output<typeof attemptShape>;
const attemptShape = z.object({
  state: z.string().min(1),
  nonce: z.string().min(1),
  verifier: z.string().min(1),
  /** Where the browser wanted to go. */
  redirectTo: z.string(),
  /** The visitor brought the sign-up code. */
  invited: z.boolean(),
});

/** Set in one place and overwritten by the next attempt: any number of starts leaves one small cookie. */
function attemptCookie() {
  const secure = env.PUBLIC_URL?.startsWith("https:") ?? false;
  return createCookie(secure ? "__Host-engawa-provider" : "engawa-provider", {
    httpOnly: true,
    // The provider sends the browser back with a top-level GET, which Lax lets through.
    sameSite: "lax",
    secure,
    path: "/",
    maxAge: inSeconds(minutes(10)),
    secrets: signingSecrets(),
  });
}

async function readAttempt(request: Request): Promise<Attempt | null> {
  const kept: unknown = await attemptCookie().parse(request.headers.get("Cookie"));
  return attemptShape.safeParse(kept).data ?? null;
}

export const isProviderConfigured = () => env.OAUTH_ISSUER !== undefined;

/** What the button calls it: where the browser will find itself. */
export const providerName = () => (env.OAUTH_ISSUER ? new URL(env.OAUTH_ISSUER).host : null);

async function providerStrategy() {
  const { OAUTH_ISSUER: issuer, OAUTH_CLIENT_ID: id, OAUTH_CLIENT_SECRET: secret, PUBLIC_URL: origin } = env;
  if (!issuer || !id || !secret) throw new ProviderDown("no provider is configured");
  const metadata = await providerMetadata(issuer);
  if (made?.metadata !== metadata) {
    const client = { id, secret, redirectUri: `${origin}/api/auth/callback`, readAttempt };
    made = { metadata, strategy: new StrictProviderStrategy(metadata, client) };
  }
  return made.strategy;
}

let made: { metadata: unknown; strategy: StrictProviderStrategy } | undefined;

export async function startProviderSignIn(
  wanted: Pick<Attempt, "redirectTo" | "invited">,
): Promise<Outcome<Response>> {
  try {
    const { url, attempt } = (await providerStrategy()).start();
    const cookie = await attemptCookie().serialize({ ...attempt, ...wanted });
    const headers = { "Set-Cookie": cookie, "Cache-Control": "no-store" };
    return done(redirect(url.href, { headers }));
  } catch (error) {
    return refusalOf(error);
  }
}

export type FinishedAttempt = { profile: ProviderProfile; redirectTo: string; invited: boolean };

export async function finishProviderSignIn(request: Request): Promise<Outcome<FinishedAttempt>> {
  try {
    const authenticator = new Authenticator<ProviderProfile>();
    authenticator.use(await providerStrategy());
    const profile = await authenticator.authenticate("provider", request);
    const attempt = await readAttempt(request);
    return done({ profile, redirectTo: attempt?.redirectTo ?? "/", invited: attempt?.invited ?? false });
  } catch (error) {
    return refusalOf(error);
  }
}

/** An attempt is spent once its own callback came in, however that ended; a foreign callback spends nothing. */
export async function spentAttemptCookie(request: Request): Promise<string | null> {
  const attempt = await readAttempt(request);
  if (!attempt || attempt.state !== new URL(request.url).searchParams.get("state")) return null;
  return attemptCookie().serialize("", { maxAge: 0 });
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

/** Our own words say what was wrong; of the cause only its kind is told, never a token or an address. */
const causeFields = ({ cause }: Error) => {
  if (cause === undefined) return {};
  const { error, code } = errorFields(cause);
  return { error, code };
};
