import * as oauth from "oauth4webapi";
import { z } from "zod";
import { hours, mebibytes, seconds } from "#app/platform/units.ts";

/** How the application calls the external identity provider, and the metadata that the provider publishes. */

/** The provider or the network failed. The person who is signing in did nothing wrong. */
export class ProviderOutage extends Error {
  override name = "ProviderOutage";
}

/** Tokens, keys, metadata and claims take a few kilobytes. */
const maxAnswerBytes = mebibytes(1);

/** Leaving the loop closes the connection. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new RangeError("the answer is too large");
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/**
 * oauth4webapi limits neither time nor size. An endless answer, an answer over 1 MiB, a redirect and an answer that is
 * not JSON count as an outage, so that people are not told that their own sign-in was wrong.
 */
async function fetchJson(
  url: string,
  { method, headers, body: form }: oauth.CustomFetchOptions<string, URLSearchParams | null | undefined>,
): Promise<Response> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      body: form ?? null,
      redirect: "error",
      signal: AbortSignal.timeout(seconds(5)),
    });
    const body = await readText(response);
    if (response.status < 500) {
      JSON.parse(body);
      return new Response(body, response);
    }
  } catch (error) {
    throw new ProviderOutage("the provider did not answer", { cause: error });
  }
  throw new ProviderOutage("the provider answered with a server error");
}

const hasPlainHttp = (issuer: string) => new URL(issuer).protocol === "http:";

/**
 * The options of every request to the provider. Plain http is allowed only for a provider whose own address is plain
 * http.
 */
export const requestOptions = (issuer: string) => ({
  [oauth.customFetch]: fetchJson,
  [oauth.allowInsecureRequests]: hasPlainHttp(issuer),
});

export type ProviderMetadata = oauth.AuthorizationServer & {
  authorization_endpoint: string;
  token_endpoint: string;
};

/**
 * oauth4webapi checks an address only when it calls it, which is after the person has signed in at the provider. It
 * also accepts an issuer that differs by a slash.
 */
function isUsable(metadata: oauth.AuthorizationServer, issuer: string): metadata is ProviderMetadata {
  const endpoint = z.url({ protocol: hasPlainHttp(issuer) ? /^https?$/ : /^https$/ });
  const shape = z.object({
    issuer: z.literal(issuer),
    authorization_endpoint: endpoint,
    token_endpoint: endpoint,
    jwks_uri: endpoint,
    userinfo_endpoint: endpoint.optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  });
  return shape.safeParse(metadata).success;
}

async function discover(issuer: string): Promise<ProviderMetadata> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, requestOptions(issuer));
  const metadata = await oauth.processDiscoveryResponse(url, response).catch((error: unknown) => {
    throw new ProviderOutage("the provider's metadata cannot be read", { cause: error });
  });
  if (!isUsable(metadata, issuer)) throw new ProviderOutage("the provider's metadata cannot be used");
  return metadata;
}

let known: { issuer: string; until: number; metadata: Promise<ProviderMetadata> } | undefined;

/** Caches the metadata for an hour. A failure is not cached, so that the next sign-in retries. */
export function providerMetadata(issuer: string): Promise<ProviderMetadata> {
  if (known?.issuer === issuer && known.until > performance.now()) return known.metadata;
  const entry = { issuer, until: performance.now() + hours(1), metadata: discover(issuer) };
  known = entry;
  entry.metadata.catch(() => {
    if (known === entry) known = undefined;
  });
  return entry.metadata;
}
