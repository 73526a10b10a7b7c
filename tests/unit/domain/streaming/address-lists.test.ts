import { describe, expect, it } from "vitest";
import { beginsAddressList, isJsonLabel, rewriteAddressList } from "#app/domain/streaming/address-lists.ts";
import { proxyAddress } from "#app/domain/streaming/playlist.ts";
import { PlaylistGrew } from "#app/domain/streaming/playlist-allowance.ts";

const base = "https://ads.example.org/lists/one.json?viewer=1";
const rewritten = (list: unknown, sign?: (url: string) => string): unknown =>
  JSON.parse(rewriteAddressList(JSON.stringify(list), base, sign));

describe("rewriteAddressList", () => {
  it("leads the assets of an interstitial through the proxy, and keeps what else is said of them", () => {
    const others = [{ URI: "urn:example:film" }, { DURATION: 3 }, "nonsense"];
    const first = { URI: "1/index.m3u8", DURATION: 15.5, "X-NOTE": "https://example.org/" };
    const second = { URI: "https://cdn.example.net/2.m3u8?a=b%20c", DURATION: 10 };
    expect(rewritten({ ASSETS: [first, second, ...others], "SKIP-CONTROL": { OFFSET: 5 } })).toEqual({
      ASSETS: [
        { ...first, URI: proxyAddress("https://ads.example.org/lists/1/index.m3u8") },
        { ...second, URI: proxyAddress("https://cdn.example.net/2.m3u8?a=b%20c") },
        ...others,
      ],
      "SKIP-CONTROL": { OFFSET: 5 },
    });
  });

  it("leads the next steering manifest through the proxy, and leaves clones of pathways out", () => {
    const clones = [{ "BASE-ID": "a", ID: "b", "URI-REPLACEMENT": { HOST: "b.example.net" } }];
    const list = { VERSION: 1, TTL: 300, "RELOAD-URI": "/steer?s=2", "PATHWAY-PRIORITY": ["b", "a"] };
    expect(rewritten({ ...list, "PATHWAY-CLONES": clones })).toEqual({
      ...list,
      "RELOAD-URI": proxyAddress("https://ads.example.org/steer?s=2"),
    });
  });

  it("signs what it writes", () => {
    const sign = (url: string) => `signed-${url.length}`;
    const { "RELOAD-URI": address } = rewritten({ "RELOAD-URI": "/s" }, sign) as Record<string, string>;
    expect(address).toBe(proxyAddress("https://ads.example.org/s", undefined, sign));
  });

  it.each(["", "{", "[1]", "null", '"ASSETS"', '{"TTL":'])(
    "leaves what is no list as it came: %s",
    (text) => {
      expect(rewriteAddressList(text, base)).toBe(text);
    },
  );

  it("gives up a list without end", () => {
    const list = { ASSETS: Array.from({ length: 300_000 }, () => ({ URI: "x" })) };
    expect(() => rewriteAddressList(JSON.stringify(list), base)).toThrow(PlaylistGrew);
    const deep = `{"ASSETS":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    expect(() => rewriteAddressList(deep, base)).toThrow(PlaylistGrew);
  });
});

it("tells lists of addresses from other JSON", () => {
  for (const label of ["application/json", "application/vnd.apple.steering-list", "application/x+json"])
    expect(isJsonLabel(label), label).toBe(true);
  for (const label of ["text/plain", "application/javascript", "application/jsonp"])
    expect(isJsonLabel(label), label).toBe(false);
  expect(beginsAddressList(' {\n "VERSION": 1, "TTL" : 300')).toBe(true);
  expect(beginsAddressList('{"ASSETS":[')).toBe(true);
  expect(beginsAddressList('{"title":"TTL"}')).toBe(false);
  expect(beginsAddressList('["ASSETS":')).toBe(false);
});
