import { expect, test } from "vitest";
import { sourceOfPlayableUrl } from "#app/domain/playback/sources/played-source.ts";
import { createVideoProxyAccess } from "#app/domain/proxy/access/proxy-access.server.ts";

test("the registered source is found by the URL that a player uses", () => {
  const source = "https://films.example.org/a b/01.m3u8?token=x&y=1";
  for (const secret of [undefined, "0123456789abcdef0123456789abcdef"])
    expect(sourceOfPlayableUrl(createVideoProxyAccess({ secret, hosts: undefined }).addressOf(source))).toBe(
      source,
    );
  for (const own of [
    "/film/1/film.webm",
    "/media/Show/01.mp4?url=x",
    "/api/videoProxy",
    "/api/videoProxy?url=",
  ])
    expect(sourceOfPlayableUrl(own)).toBe(own);
});
