import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proxyUrl, readDefinitions } from "#app/domain/proxy/addresses/proxy-url.ts";
import { rewritePlaylist } from "#app/domain/proxy/playlists/playlist.ts";
import { PlaylistTooLargeError } from "#app/media/hls/playlist-budget.ts";
import { isLivePlaylist } from "#app/media/hls/playlist-kinds.ts";
import type { Variables } from "#app/media/hls/playlist-variables.ts";
import { complaintsAbout } from "#tests/support/checks/playlist-checker.ts";

const folder = new URL("../../../../fixtures/playlists/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".m3u8"));
const read = (name: string) => readFileSync(new URL(name, folder), "utf8");
const base = "https://films.example.org/show/one/index.m3u8?token=a%2Bb+c&empty=";
const imported = { edge: "https://edge.example.net/v2" };
const variables = new Map(Object.entries(imported));
const rewriteUnsigned = (text: string, from = base, given: Variables = new Map()) =>
  rewritePlaylist(text, from, given, undefined);

const target = (address: string) => new URL(address, "http://us.test").searchParams;
const lineOf = (text: string, start: string) => text.split("\n").find((line) => line.startsWith(start)) ?? "";

describe("rewritePlaylist", () => {
  test.each(names)("%s: only URLs change, and each leads to its original", (name) => {
    const text = read(name);
    const rewritten = rewriteUnsigned(text, base, variables);
    expect(complaintsAbout(text, rewritten, { base, imported })).toEqual([]);
    expect(rewritten).toContain("/api/videoProxy?url=https%3A%2F%2F");
  });

  test.each(names)("%s is rewritten the same with CRLF, CR, indentation and a byte order mark", (name) => {
    for (const text of [
      read(name).replaceAll("\n", "\r\n"),
      read(name).replaceAll("\n", "\r"),
      read(name).replaceAll(/^/gm, " \t"),
      `\uFEFF${read(name)}`,
    ])
      expect(complaintsAbout(text, rewriteUnsigned(text, base, variables), { base, imported })).toEqual([]);
  });

  test("URLs are resolved against the playlist's own URL", () => {
    const rewrite = (line: string) => rewriteUnsigned(`#EXTM3U\n${line}`).split("\n")[1] ?? "";
    const rewrittenTo = (line: string) => target(rewrite(line).trim()).get("url");
    expect(rewrittenTo("1.ts")).toBe("https://films.example.org/show/one/1.ts");
    expect(rewrittenTo("../2/1.ts?a=1&b=%20")).toBe("https://films.example.org/show/2/1.ts?a=1&b=%20");
    expect(rewrittenTo("//cdn.example.net/1.ts")).toBe("https://cdn.example.net/1.ts");
    expect(rewrittenTo("  a b.ts ")).toBe("https://films.example.org/show/one/a%20b.ts");
    expect(rewrittenTo("雨.ts")).toBe("https://films.example.org/show/one/%E9%9B%A8.ts");
    expect(rewrittenTo("http://[bad")).toBe("http://[bad");
  });

  test.each([
    "data:text/plain,x",
    "skd://key",
    "urn:uuid:1",
    "javascript:alert(1)",
    "blob:https://a/b",
    "file:///etc/passwd",
  ])("%s is not rewritten", (uri) => {
    const text = `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${uri}"\n${uri}\n`;
    expect(rewriteUnsigned(text)).toBe(text);
  });

  test("variables in a URL of another scheme are not replaced", () => {
    const define = '#EXTM3U\n#EXT-X-DEFINE:NAME="id",VALUE="1"\n#EXT-X-DEFINE:NAME="s",VALUE="skd://2"\n';
    for (const uri of ["skd://{$id}", "{$s}/key"]) {
      const text = `${define}#EXT-X-KEY:METHOD=SAMPLE-AES,URI="${uri}"\n`;
      expect(rewriteUnsigned(text)).toBe(text);
    }
  });

  const define = (...definitions: [name: string, value: string][]) =>
    definitions.map(([name, value]) => `#EXT-X-DEFINE:NAME="${name}",VALUE="${value}"\n`).join("");
  const rewrittenAfter = (definitions: string, line: string) =>
    rewriteUnsigned(`#EXTM3U\n${definitions}${line}\n`).split("\n").at(-2) ?? "";

  test("a URL that consists of empty variables stays empty, and other URLs lose only the reference", () => {
    const empty = define(["e", ""]);
    expect(rewrittenAfter(empty, '#EXT-X-MEDIA:TYPE=AUDIO,URI="{$e}",NAME="a"')).toBe(
      '#EXT-X-MEDIA:TYPE=AUDIO,URI="",NAME="a"',
    );
    expect(rewrittenAfter(empty, "{$e}")).toBe("");
    expect(target(rewrittenAfter(empty, "{$e}a{$e}.ts")).get("url")).toBe(new URL("a.ts", base).href);
  });

  test("a reference inside a value is not replaced, whether the value was defined as such or is formed in the URL", () => {
    const pathIn = (definitions: string, line: string) =>
      new URL(target(rewrittenAfter(definitions, line)).get("url") ?? "").pathname;
    expect(pathIn(define(["b", "2"], ["a", "{$b}"]), "/{$a}.ts")).toBe("/%7B$b%7D.ts");
    expect(pathIn(define(["a", "{"], ["b", "2"]), "/{$a}$b}.ts")).toBe("/%7B$b%7D.ts");
    expect(rewriteUnsigned('#EXT-X-DEFINE:QUERYPARAM="q"\n', "https://a.test/?q={$b}")).toBe(
      '#EXT-X-DEFINE:NAME="q",VALUE="%7B$b}"\n',
    );
  });

  test.each([" ", "\t", "    ", "\uFEFF", "\u00a0"])("%j before a line is removed", (space) => {
    const lines = ['#EXT-X-KEY:METHOD=AES-128,URI="k"', "#EXTINF:4,", "a.ts", "a b.ts", "# remark"];
    const indented = lines.map((line) => space + line);
    expect(rewriteUnsigned(["#EXTM3U", ...indented].join("\n"))).toBe(
      rewriteUnsigned(["#EXTM3U", ...lines].join("\n")),
    );
  });

  test("prefetch segments go through the proxy", () => {
    const rewritten = rewriteUnsigned("#EXTM3U\n#EXT-X-PREFETCH:\n#EXT-X-PREFETCH: 9.ts \n").split("\n");
    expect(rewritten[1]).toBe("#EXT-X-PREFETCH:");
    expect(rewriteUnsigned("#EXT-X-PREFETCH:E")).toMatch(/^#EXT-X-PREFETCH:\/api\/videoProxy\?url=\S+%2FE$/);
    expect(rewritten[2]).toMatch(/^#EXT-X-PREFETCH: \/api\/videoProxy\?url=\S+%2F9\.ts $/);
  });

  test("the URL of a variant carries the playlist's definitions", () => {
    const tag = '#EXT-X-STREAM-INF:BANDWIDTH=1,URI="low.m3u8"';
    const text = `#EXTM3U\n#EXT-X-DEFINE:NAME="a",VALUE="b"\n${tag}\n`;
    expect(rewriteUnsigned(text)).toContain("%2Flow.m3u8&define=a%3Db");
  });

  test("a definition from a query parameter is replaced by its value, because the proxy's URL lacks that parameter", () => {
    const rewritten = rewriteUnsigned(read("every-child.m3u8"));
    expect(rewritten).toContain('#EXT-X-DEFINE:NAME="token",VALUE="a+b+c"\n');
    const quoting = rewriteUnsigned('#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM="q"\n', "https://a.test/?q=%22%0A");
    expect(quoting).toContain('NAME="q",VALUE="%22%0A"\n');
    const missing = '#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM="nothing"\n';
    expect(rewriteUnsigned(missing)).toBe(missing);
  });

  test("definitions are passed to child playlists and their children, but not to segments", () => {
    const parent = rewriteUnsigned(read("every-child.m3u8"));
    const child = target(lineOf(parent, "/api/videoProxy"));
    expect(child.get("url")).toBe("https://edge.example.net/v2/high/index.m3u8?t=a+b+c");
    const definitions = readDefinitions(child.getAll("define"));
    expect(Object.fromEntries(definitions)).toEqual({ ...imported, token: "a+b+c" });
    const media = rewriteUnsigned(read("every-tag.m3u8"), base, definitions);
    expect(lineOf(media, "#EXT-X-RENDITION-REPORT")).toContain("&define=edge%3D");
    expect(lineOf(media, "#EXT-X-MAP")).not.toContain("define");
    expect(media).toContain("url=https%3A%2F%2Fedge.example.net%2Fv2%2Fa%2520b%2F266.m4s&encrypted=1.m4s\n");
  });

  test("a variable that the child does not import stays unresolved", () => {
    const rewritten = rewriteUnsigned("#EXTM3U\n{$edge}/1.ts", base, variables);
    expect(target(rewritten.split("\n")[1] ?? "").get("url")).toContain("%7B$edge%7D/1.ts");
  });

  test.each([
    ["1.ts", "&sig=x&ext=.ts"],
    ["1.m4s?token=a.b/c", "&sig=x&ext=.m4s"],
    ["get?file=1.aac", "&sig=x&ext=.aac"],
    ["seg.php?file=1.ts", "&sig=x&ext=.ts"],
    ["seg.php?file=1", "&sig=x&ext=.php"],
    ["segment", "&sig=x"],
  ])("the signed URL of the segment %s ends with %s", (segment, end) => {
    const text = `#EXTM3U\n#EXT-X-PART:DURATION=1,URI="${segment}"\n#EXTINF:4,\n${segment}\n`;
    const lines = rewritePlaylist(text, base, new Map(), () => "&sig=x").split("\n");
    expect(lines[3]?.endsWith(`${encodeURIComponent(new URL(segment, base).href)}${end}`)).toBe(true);
    expect(lines[1]).toContain(`${end}"`);
  });

  test("an unsigned URL of a segment gets its extension at the end if a query hides it, and never a second one", () => {
    const end = (segment: string) => rewriteUnsigned(`#EXTM3U\n${segment}`).replace(/^.*%2F/s, "");
    expect(
      ["1.ts", "1.ts?t=1", "1.ts?f=2.ts", "seg.php?f=2.TS", "segment?t=1", "k/a.key?x"].map(end),
    ).toEqual([
      "1.ts",
      "1.ts%3Ft%3D1&ext=.ts",
      "1.ts%3Ff%3D2.ts",
      "seg.php%3Ff%3D2.TS",
      "segment%3Ft%3D1",
      "a.key%3Fx&ext=.key",
    ]);
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="k"\n';
    expect(rewriteUnsigned(`${key}1.ts?t=1`)).toMatch(/%3Ft%3D1&encrypted=1\.ts$/);
  });

  test("the segments of a delta update are marked as encrypted until a tag says that they are not", () => {
    const tail = "#EXTINF:4,\na.html\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\nb.html";
    const rewritten = rewriteUnsigned(`#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n${tail}`);
    expect(rewritten).toMatch(/a\.html&encrypted=1\.html\n.*b\.html$/s);
  });

  test("the preload of an interstitial goes through the proxy like the interstitial", () => {
    const attributes = 'CLASS="com.apple.hls.preload",X-TARGET-ID="a",X-URI="ads/list.json"';
    const asset = '#EXT-X-DATERANGE:ID="a",X-ASSET-LIST="ads/list.json"';
    const rewritten = rewriteUnsigned(`#EXT-X-DATERANGE:${attributes}\n${asset}`);
    const [preload, list] = [...rewritten.matchAll(/(?:X-URI|X-ASSET-LIST)="([^"]*)"/g)].map(
      ([, url]) => url,
    );
    expect(preload).toMatch(/^\/api\/videoProxy\?url=/);
    expect(preload).toBe(list);
  });

  test("every written URL is signed together with its definitions", () => {
    const sign = (url: string, definitions: readonly string[]) => `&sig=${url.length}.${definitions.length}`;
    const parent = rewritePlaylist(read("every-child.m3u8"), base, new Map(), sign);
    const addresses = parent.match(/\/api\/videoProxy\?url=[^"\n]*/g) ?? [];
    expect(addresses.length).toBe(9);
    for (const address of addresses) {
      const query = target(address);
      expect(query.get("sig")).toBe(`${query.get("url")?.length}.${query.getAll("define").length}`);
    }
  });
});

describe("a playlist that needs too much work", () => {
  const times = (count: number, line: string) => `#EXTM3U\n${line.repeat(count)}`;
  const definitions = Array.from({ length: 1500 }, (_, i) => `#EXT-X-DEFINE:NAME="v${i}",VALUE="x"`);
  const longAddress = `https://h.test/${"long/".repeat(1000)}index.m3u8?${"a=b&".repeat(1000)}`;
  const longValue = `#EXT-X-DEFINE:NAME="v",VALUE="${"x".repeat(40_000)}"\n`;

  test.each([
    ["more definitions than any film has", definitions.join("\n"), base],
    ["one definition many times in a URL", `${longValue}{$v}{$v}`, base],
    ["one definition in many URLs", `${longValue}${times(2000, "{$v}\n")}`, base],
    [
      "one value of the query in many attributes",
      times(1, `#EXT-X-DEFINE:${'QUERYPARAM="v",'.repeat(20_000)}`),
      `https://h.test/index.m3u8?v=${"x".repeat(8000)}`,
    ],
    ["short names in a deep folder", times(50_000, "a\n"), longAddress],
    ["short names that have to be resolved", times(1_000_000, "..\n"), base],
    ["URLs that cannot be resolved", times(100_000, "//[\n"), base],
    ["empty tags behind white space", times(1_400_000, " #\n"), base],
    ["one tag with a million attributes", times(1, `#EXT-X-A:${"B=c,".repeat(1_000_000)}URI="x"`), base],
  ])("%s: rewriting throws PlaylistTooLargeError", (_what, text, from) => {
    expect(() => rewriteUnsigned(text, from)).toThrow(PlaylistTooLargeError);
  });

  test("a long playlist of plain segments is rewritten", () => {
    const text = times(60_000, "#EXTINF:2.000000,\nthe film, part one/segment_00000.m4s?a=b c\n");
    expect(rewriteUnsigned(text).length).toBeGreaterThan(2 * text.length);
  });
});

describe("properties", () => {
  const name = fc.stringMatching(/^[A-Za-z0-9_.~ ?&=%/+é雨#-]{1,24}$/);
  const odd = ["data:,x", "skd://x/y.ts", "urn:a", "javascript:0", "http://", "https://h.test", "?q", "a/"];
  const uri = fc.oneof(
    name,
    name.map((rest) => `../${rest}`),
    name.map((rest) => `/${rest}`),
    name.map((rest) => `//h.test/${rest}`),
    name.map((rest) => `{$v}/${rest}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom(...odd),
  );
  const quoted = fc.stringMatching(/^[^"\r\n]{0,12}$/);
  const attribute = fc.oneof(
    fc
      .tuple(fc.constantFrom("URI", "SERVER-URI", "X-URI", "X-ASSET-URI", "X-ASSET-LIST"), uri)
      .map(([key, value]) => `${key}="${value}"`),
    fc
      .tuple(fc.constantFrom("NAME", "X-NOTE", "URIS", "METHOD"), quoted)
      .map(([key, value]) => `${key}="${value}"`),
    fc.nat().map((value) => `BANDWIDTH=${value}`),
  );
  const tag = fc.constantFrom("KEY", "MAP", "MEDIA", "PART", "DATERANGE", "CONTENT-STEERING", "OTHER");
  const line = fc.oneof(
    uri,
    fc
      .tuple(fc.constantFrom("", "  "), tag, fc.array(attribute, { minLength: 1, maxLength: 4 }))
      .map(([indent, what, attributes]) => `${indent}#EXT-X-${what}:${attributes.join(",")}`),
    uri.map((address) => `#EXT-X-PREFETCH:${address}`),
    quoted.map((title) => `#EXTINF:4,${title} URI="x"`),
    quoted.map((remark) => `# ${remark}`),
    fc.constantFrom("", " ", "#EXT-X-STREAM-INF:BANDWIDTH=1", "#EXT-X-ENDLIST"),
  );
  const definition = '#EXT-X-DEFINE:NAME="v",VALUE="https://v.test/f"';
  const playlist = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r"), fc.boolean())
    .map(([lines, ending, defines]) => ["#EXTM3U", ...(defines ? [definition] : []), ...lines].join(ending));

  test("only URLs change, and each decodes to its absolute original", () => {
    fc.assert(
      fc.property(playlist, (text) => {
        expect(complaintsAbout(text, rewriteUnsigned(text), { base })).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("any text keeps its line breaks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        const breaks = (given: string) => given.replace(/[^\r\n]/g, "");
        expect(breaks(rewriteUnsigned(text))).toBe(breaks(text));
      }),
    );
  });

  test("a written URL is parsed back into its parts", () => {
    const pairs = fc.dictionary(fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/), fc.string());
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), pairs, (url, given) => {
        const query = target(proxyUrl(url, new Map(Object.entries(given)), undefined));
        expect(query.get("url")).toBe(url);
        expect(Array.from(readDefinitions(query.getAll("define")))).toEqual(Object.entries(given));
      }),
    );
  });
});

describe("isLivePlaylist", () => {
  const playlist = (...lines: string[]) => ["#EXTM3U", ...lines, "#EXTINF:4,", "1.ts"].join("\n");
  test.each([
    "#EXT-X-PLAYLIST-TYPE:EVENT",
    "#EXT-X-MEDIA-SEQUENCE:12",
    "#EXT-X-MEDIA-SEQUENCE:007",
    "#EXT-X-PROGRAM-DATE-TIME:2026-05-01T12:00:00Z",
    '#EXT-X-PART:DURATION=1,URI="a"',
    "#EXT-X-PART-INF:PART-TARGET=1",
    '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="a"',
    "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES",
  ])("%s marks a live playlist, unless the playlist is complete", (sign) => {
    expect(isLivePlaylist(playlist(sign))).toBe(true);
    expect(isLivePlaylist(playlist(sign).replaceAll("\n", "\r\n"))).toBe(true);
    expect(isLivePlaylist(playlist(sign).replaceAll("\n", "\n  "))).toBe(true);
    expect(isLivePlaylist(playlist(sign, "  #EXT-X-ENDLIST"))).toBe(false);
    expect(isLivePlaylist(`${playlist(sign)}\n#EXT-X-ENDLIST\n`)).toBe(false);
    expect(isLivePlaylist(playlist(sign, "#EXT-X-PLAYLIST-TYPE:VOD"))).toBe(false);
  });

  test("a playlist without a live tag is not live, and neither is a multivariant playlist", () => {
    expect(isLivePlaylist(playlist("#EXT-X-MEDIA-SEQUENCE:0"))).toBe(false);
    const live = ["live.m3u8", "every-tag.m3u8"];
    for (const name of names) expect(isLivePlaylist(read(name)), name).toBe(live.includes(name));
  });
});
