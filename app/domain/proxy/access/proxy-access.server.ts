import { createHmac } from "node:crypto";
import { noVariables } from "#app/media/hls/playlist-variables.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isSameSecret } from "#app/platform/process/secrets.server.ts";
import { allowedHosts } from "#app/platform/upstream/host-list.server.ts";
import { proxyUrl, type SignUrl } from "../addresses/proxy-url.ts";
import { type ChildKey, referenceTo, signForChild } from "./expiring-signatures.server.ts";

/** Decides which URLs the video proxy fetches: signed ones (PROXY_SIGNING_SECRET) on allowed hosts (PROXY_ALLOWED_HOSTS). */

type ProxySettings = { secret: string | undefined; hosts: readonly string[] | undefined };

/** 132 bits of the MAC are enough against forgery, and keep playlists with thousands of URLs small. */
const signatureLength = 22;

export function createVideoProxyAccess({ secret, hosts }: ProxySettings) {
  const signatureOf =
    secret === undefined
      ? undefined
      : (url: string, definitions: readonly string[]) =>
          createHmac("sha256", secret)
            .update(definitions.length === 0 ? url : JSON.stringify([url, ...definitions]))
            .digest("base64url")
            .slice(0, signatureLength);
  const sign: SignUrl | undefined =
    signatureOf && ((url, definitions) => `&sig=${signatureOf(url, definitions)}`);

  /**
   * Returns a function that writes the query parameters of a proxy URL: its signature, the reference to a source with
   * headers, and the signature for a child, each only if needed.
   */
  function signFor(sourceId: string | undefined, child?: ChildKey): SignUrl | undefined {
    if (sourceId === undefined && child === undefined) return sign;
    return (url, definitions) =>
      (sign?.(url, definitions) ?? "") +
      (sourceId === undefined ? "" : `&source=${referenceTo({ sourceId, url, definitions })}`) +
      (child === undefined ? "" : `&child=${signForChild({ child, url, definitions })}`);
  }

  function isSigned(url: string, definitions: readonly string[], signature: string | undefined): boolean {
    return signatureOf === undefined || isSameSecret(signature ?? "", signatureOf(url, definitions));
  }

  const { asksCatalog, isAllowedHost } = allowedHosts(hosts);

  return {
    signFor,
    isSigned,
    /** The proxy URL for an upstream URL, signed if there is a secret. */
    addressOf: (url: string, sourceId?: string, child?: ChildKey) =>
      proxyUrl(url, noVariables, signFor(sourceId, child)),
    asksCatalog,
    isAllowedHost,
  };
}

export const videoProxyAccess = createVideoProxyAccess({
  secret: env.PROXY_SIGNING_SECRET,
  hosts: env.PROXY_ALLOWED_HOSTS,
});
