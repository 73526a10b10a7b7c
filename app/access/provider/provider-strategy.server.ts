import * as oauth from "oauth4webapi";
import { CodeChallengeMethod, OAuth2Strategy } from "remix-auth-oauth2";
import { z } from "zod";
import type { ProviderProfile } from "#app/domain/sign-in/sign-in.server.ts";
import { newSecret } from "#app/platform/process/secrets.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { type ProviderMetadata, ProviderOutage, requestOptions } from "./provider-metadata.server.ts";

/** A check of the callback failed, or the provider refused. The browser gets a 400 and no session. */
export class ProviderRefusal extends Error {
  override name = "ProviderRefusal";
}

/** A started sign-in, as stored in the browser's cookie. */
type Attempt = {
  state: string;
  nonce: string;
  verifier: string;
  /** The person has to sign in at the provider again, even if the provider still has a session. */
  mustProve?: boolean | undefined;
};

/** How long ago that second sign-in may be when the person comes back. */
const maxProofAge = inSeconds(minutes(10));

type Settings = {
  id: string;
  secret: string;
  redirectUri: string;
  /** The sign-in that this browser started, or null. */
  readAttempt(request: Request): Promise<Attempt | null>;
};

/**
 * The base class makes the authorization request. Its `authenticate` restarts endlessly when `state` is missing, and
 * checks neither nonce nor issuer nor ID token, so oauth4webapi does that part.
 */
export class StrictProviderStrategy extends OAuth2Strategy<ProviderProfile> {
  override name = "provider";
  private readonly metadata: ProviderMetadata;
  private readonly settings: Settings;
  private readonly oauthClient: oauth.Client;
  private readonly requestOptions: ReturnType<typeof requestOptions>;

  constructor(metadata: ProviderMetadata, settings: Settings) {
    super(
      {
        clientId: settings.id,
        clientSecret: settings.secret,
        redirectURI: settings.redirectUri,
        authorizationEndpoint: metadata.authorization_endpoint,
        tokenEndpoint: metadata.token_endpoint,
        scopes: ["openid", "email", "profile"],
        codeChallengeMethod: CodeChallengeMethod.S256,
      },
      () => Promise.reject(new Error("authenticate() returns the profile without this callback")),
    );
    this.metadata = metadata;
    this.settings = settings;
    this.oauthClient = { client_id: settings.id };
    this.requestOptions = requestOptions(metadata.issuer);
  }

  /** Returns the provider's address for the browser, and the attempt that the cookie stores until the callback. */
  start(mustProve: boolean): { url: URL; attempt: Attempt } {
    const { state, codeVerifier, url } = this.createAuthorizationURL();
    const nonce = newSecret();
    url.searchParams.set("nonce", nonce);
    if (mustProve) {
      url.searchParams.set("prompt", "login");
      url.searchParams.set("max_age", "0");
    }
    return { url, attempt: { state, nonce, verifier: codeVerifier, ...(mustProve && { mustProve }) } };
  }

  override async authenticate(request: Request): Promise<ProviderProfile> {
    const attempt = await this.settings.readAttempt(request);
    if (!attempt) throw new ProviderRefusal("this browser started no sign-in");
    try {
      const claims = await this.exchangeCode(new URL(request.url), attempt);
      return profileFrom(this.metadata.issuer, claims);
    } catch (error) {
      throw judged(error);
    }
  }

  /** Exchanges the callback's code for the claims about the person. The ID token's claims override the userinfo's. */
  private async exchangeCode(callback: URL, { state, nonce, verifier, mustProve }: Attempt) {
    const { metadata, oauthClient, settings, requestOptions } = this;
    const answer = oauth.validateAuthResponse(metadata, oauthClient, callback, state);
    const response = await oauth.authorizationCodeGrantRequest(
      metadata,
      oauthClient,
      clientAuthentication(metadata, settings.secret),
      answer,
      settings.redirectUri,
      verifier,
      requestOptions,
    );
    const checks = {
      expectedNonce: nonce,
      requireIdToken: true,
      // A person who removes `prompt` and `max_age` from the address comes back with an older sign-in time, or none.
      ...(mustProve && { maxAge: maxProofAge }),
    };
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, oauthClient, response, checks);
    // The library does not check the signature by itself, because the token came over TLS. Plain http has no TLS.
    await oauth.validateApplicationLevelSignature(metadata, response, requestOptions);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (!claims) throw new ProviderRefusal("the token endpoint gave no ID token");
    // The library checks `azp` only when there are several audiences.
    if (claims.azp !== undefined && claims.azp !== settings.id)
      throw new ProviderRefusal("the ID token was issued to another client");
    return "email" in claims
      ? claims
      : { ...(await this.askUserinfo(tokens.access_token, claims.sub)), ...claims };
  }

  private async askUserinfo(accessToken: string, subject: string) {
    const { metadata, oauthClient, requestOptions } = this;
    if (!metadata.userinfo_endpoint) return {};
    const response = await oauth.userInfoRequest(metadata, oauthClient, accessToken, requestOptions);
    try {
      return await oauth.processUserInfoResponse(metadata, oauthClient, subject, response);
    } catch (error) {
      // Claims about another person may be an attack. Every other error here is the provider's fault.
      if (codeOf(error) === oauth.JSON_ATTRIBUTE_COMPARISON) throw error;
      throw new ProviderOutage("the userinfo endpoint failed", { cause: error });
    }
  }
}

function clientAuthentication(metadata: ProviderMetadata, secret: string): oauth.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  const isPostOnly = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return isPostOnly ? oauth.ClientSecretPost(secret) : clientSecretBasic(secret);
}

/**
 * RFC 6749, 2.3.1. The library's own version also escapes `-`, `_` and `.`. Ids and secrets with these characters then
 * fail at providers that do not decode them.
 */
function clientSecretBasic(secret: string): oauth.ClientAuth {
  const formEncoded = (text: string) => new URLSearchParams({ _: text }).toString().slice(2);
  return (_metadata, { client_id: id }, _body, headers) =>
    headers.set("Authorization", `Basic ${btoa(`${formEncoded(id)}:${formEncoded(secret)}`)}`);
}

const codeOf = (error: unknown) => String((error as { code?: unknown } | null)?.code);

/** The library's messages are fixed texts, so they may be logged. Other messages may quote a token. */
function judged(error: unknown): Error {
  if (error instanceof ProviderOutage || error instanceof ProviderRefusal) return error;
  // The library throws ERR_INVALID_ARG_VALUE for a signature that is not base64.
  const isFailedCheck = codeOf(error).startsWith("OAUTH_") || codeOf(error) === "ERR_INVALID_ARG_VALUE";
  if (isFailedCheck) return new ProviderRefusal((error as Error).message, { cause: error });
  return new ProviderOutage("the provider's answer could not be checked", { cause: error });
}

const text = z.string().optional().catch(undefined);
const profileClaims = z.object({
  sub: z
    .string()
    .min(1)
    .max(255)
    .refine((subject) => subject.isWellFormed() && !subject.includes("\0")),
  email: text,
  // Some providers send "true" or "false" as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).catch(false),
  name: text,
  preferred_username: text,
  nickname: text,
  picture: text,
});

function profileFrom(issuer: string, claims: oauth.JsonObject): ProviderProfile {
  const parsed = profileClaims.safeParse(claims);
  if (!parsed.success) throw new ProviderRefusal("the provider's claims cannot be used");
  const { sub, email, email_verified, name, preferred_username, nickname, picture } = parsed.data;
  return {
    issuer,
    subject: sub,
    email: email ?? null,
    emailVerified: email_verified,
    names: [name, preferred_username, nickname].filter((one) => one !== undefined),
    picture: picture ?? null,
  };
}
