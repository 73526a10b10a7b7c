import { describe, expect, test } from "vitest";
import { proxyUrl } from "#app/domain/proxy/addresses/proxy-url.ts";
import { rewriteUrlList } from "#app/domain/proxy/playlists/url-lists.ts";
import { PlaylistTooLargeError } from "#app/media/hls/playlist-budget.ts";
import { noVariables } from "#app/media/hls/playlist-variables.ts";
import { isJsonLabel, startsUrlList } from "#app/media/hls/url-list-kinds.ts";

const base = "https://ads.example.org/lists/one.json?viewer=1";
const rewritten = (list: unknown, sign?: (url: string) => string): unknown =>
  JSON.parse(rewriteUrlList(JSON.stringify(list), base, sign));
const unsigned = (url: string) => proxyUrl(url, noVariables, undefined);

describe("rewriteUrlList", () => {
  test("the URLs of interstitial assets go through the proxy, and their other fields stay", () => {
    const others = [{ URI: "urn:example:film" }, { DURATION: 3 }, "nonsense"];
    const first = { URI: "1/index.m3u8", DURATION: 15.5, "X-NOTE": "https://example.org/" };
    const second = { URI: "https://cdn.example.net/2.m3u8?a=b%20c", DURATION: 10 };
    expect(rewritten({ ASSETS: [first, second, ...others], "SKIP-CONTROL": { OFFSET: 5 } })).toEqual({
      ASSETS: [
        { ...first, URI: unsigned("https://ads.example.org/lists/1/index.m3u8") },
        { ...second, URI: unsigned("https://cdn.example.net/2.m3u8?a=b%20c") },
        ...others,
      ],
      "SKIP-CONTROL": { OFFSET: 5 },
    });
  });

  test("the next steering manifest goes through the proxy, and pathway clones are removed", () => {
    const clones = [{ "BASE-ID": "a", ID: "b", "URI-REPLACEMENT": { HOST: "b.example.net" } }];
    const list = { VERSION: 1, TTL: 300, "RELOAD-URI": "/steer?s=2", "PATHWAY-PRIORITY": ["b", "a"] };
    expect(rewritten({ ...list, "PATHWAY-CLONES": clones })).toEqual({
      ...list,
      "RELOAD-URI": unsigned("https://ads.example.org/steer?s=2"),
    });
  });

  test("every written URL is signed", () => {
    const sign = (url: string) => `signed-${url.length}`;
    const { "RELOAD-URI": address } = rewritten({ "RELOAD-URI": "/s" }, sign) as Record<string, string>;
    expect(address).toBe(proxyUrl("https://ads.example.org/s", noVariables, sign));
  });

  test.each(["", "{", "[1]", "null", '"ASSETS"', '{"TTL":'])(
    "text that is not a list is not changed: %s",
    (text) => {
      expect(rewriteUrlList(text, base, undefined)).toBe(text);
    },
  );

  test("a list that is too long throws PlaylistTooLargeError", () => {
    const list = { ASSETS: Array.from({ length: 300_000 }, () => ({ URI: "x" })) };
    expect(() => rewriteUrlList(JSON.stringify(list), base, undefined)).toThrow(PlaylistTooLargeError);
  });

  test("a list that is too deep for the stack throws PlaylistTooLargeError; Node 26 needs no stack for it", () => {
    const deep = `{"ASSETS":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const rewritten = () => rewriteUrlList(deep, base, undefined);
    if (Number.parseInt(process.versions.node, 10) < 26) expect(rewritten).toThrow(PlaylistTooLargeError);
    else expect(rewritten()).toBe(deep);
  });
});

test("lists of URLs are distinguished from other JSON", () => {
  for (const label of ["application/json", "application/vnd.apple.steering-list", "application/x+json"])
    expect(isJsonLabel(label), label).toBe(true);
  for (const label of ["text/plain", "application/javascript", "application/jsonp"])
    expect(isJsonLabel(label), label).toBe(false);
  expect(startsUrlList(' {\n "VERSION": 1, "TTL" : 300')).toBe(true);
  expect(startsUrlList('{"ASSETS":[')).toBe(true);
  expect(startsUrlList('{"title":"TTL"}')).toBe(false);
  expect(startsUrlList('["ASSETS":')).toBe(false);
});
