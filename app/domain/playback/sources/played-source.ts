import { videoProxyPath } from "#app/paths.ts";

/** Turns the URL that a player loaded back into the source as it is registered. */
export function sourceOfPlayableUrl(playableUrl: string): string {
  const [path, query = ""] = playableUrl.split("?", 2);
  return (path === videoProxyPath() && new URLSearchParams(query).get("url")) || playableUrl;
}
