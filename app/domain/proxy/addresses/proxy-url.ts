import type { Variables } from "#app/media/hls/playlist-variables.ts";
import { videoProxyPath } from "#app/paths.ts";

/** Writes and reads the addresses of the video proxy, to which rewritten playlists point. */

/** Returns the query parameters that sign a proxy URL, such as `&sig=…`. Undefined if nothing needs a signature. */
export type SignUrl = (url: string, definitions: readonly string[]) => string;

export const proxyPath = videoProxyPath();

/** The proxy URL for an absolute URL. `variables` are those that the playlist at `url` may import. */
export function proxyUrl(url: string, variables: Variables, sign: SignUrl | undefined): string {
  const definitions = Array.from(variables, ([name, value]) => `${name}=${value}`);
  const defineParameters = definitions
    .map((definition) => `&define=${encodeURIComponent(definition)}`)
    .join("");
  const signature = sign?.(url, definitions) ?? "";
  return `${proxyPath}?url=${encodeURIComponent(url)}${defineParameters}${signature}`;
}

/** Reads the `define` parameters that `proxyUrl` wrote. */
export const readDefinitions = (definitions: readonly string[]): Variables =>
  new Map(
    definitions.flatMap((definition): [string, string][] => {
      const equals = definition.indexOf("=");
      return equals > 0 ? [[definition.slice(0, equals), definition.slice(equals + 1)]] : [];
    }),
  );
