import { describe, expect, test } from "vitest";
import { rewritePlaylist } from "#app/domain/proxy/playlists/playlist.ts";
import { complaintsAbout } from "#tests/support/checks/playlist-checker.ts";

const base = "https://films.example.org/one/index.m3u8?token=a%2Bb";
const proxied = (url: string) => `/api/videoProxy?url=${encodeURIComponent(url)}`;
const key = proxied("https://films.example.org/one/k.bin");

describe("the checker of rewritten playlists", () => {
  test.each([
    ["space around the signs of an attribute", '#EXT-X-KEY:METHOD=AES-128 , URI = "k.bin" ,IV=0x01'],
    ["text after a broken attribute", '#EXT-X-KEY:METHOD=AES-128,URI="k.bin",IV'],
    ["a parameter that no definition asks for", '#EXT-X-OTHER:QUERYPARAM="token"'],
    ["a tag after a byte order mark", '\uFEFF#EXT-X-MAP:URI="k.bin"'],
    ["names that every object inherits", "a{$constructor}.ts"],
    [
      "a value that looks like a reference",
      '#EXT-X-DEFINE:NAME="a",VALUE="{$b}"\n#EXT-X-DEFINE:NAME="b",VALUE="2"\n{$a}/{$b}.ts',
    ],
    ["an empty value", '#EXT-X-DEFINE:NAME="e",VALUE=""\n#EXT-X-MEDIA:URI="{$e}"\n{$e}\n{$e}a{$e}.ts'],
  ])("the checker agrees with the rewriter about %s", (_what, text) => {
    expect(complaintsAbout(text, rewritePlaylist(text, base, new Map(), undefined), { base })).toEqual([]);
  });

  test.each([
    ["the name of the tag changed", '#EXT-X-KEY:URI="k.bin"', `#EXT-X-MAP:URI="${key}"`],
    ["the text after the attributes changed", '#EXT-X-KEY:URI="k.bin",IV', `#EXT-X-KEY:URI="${key}"`],
    ["the text around URI changed", '#EXT-X-KEY:URI ="k.bin"', `#EXT-X-KEY:URI="${key}"`],
    ["the text around IV changed", '#EXT-X-KEY:URI="k.bin" ,IV=1', `#EXT-X-KEY:URI="${key}",IV=1`],
    ["attribute IV became I", '#EXT-X-KEY:URI="k.bin",IV=1', `#EXT-X-KEY:URI="${key}",I=1`],
    ["IV changed", '#EXT-X-KEY:URI="k.bin",IV=1', `#EXT-X-KEY:URI="${key}",IV=2`],
    ["does not go through the proxy", '#EXT-X-KEY:URI = "k.bin"', '#EXT-X-KEY:URI = "k.bin"'],
    ["does not go through the proxy", '  #EXT-X-KEY:URI="k.bin"', '#EXT-X-KEY:URI="k.bin"'],
    ["there is space before the tag", '  #EXT-X-KEY:URI="k.bin"', `  #EXT-X-KEY:URI="${key}"`],
    ["there is space before the URL", " k.bin", ` ${key}`],
    [
      "an empty URL became another",
      '#EXT-X-DEFINE:NAME="e",VALUE=""\n{$e}',
      '#EXT-X-DEFINE:NAME="e",VALUE=""\n{$e}',
    ],
    ["leads to https://films.example.org/one/k.bin", "other.bin", key],
    ["the byte order mark was lost", "\uFEFF#EXTM3U", "#EXTM3U"],
    ["changed, although it contains no URL", "#EXTINF:4,a", "#EXTINF:4,b"],
    ["2 lines became 1", "#EXTM3U\n", "#EXTM3U"],
    ["the line ending changed", "#EXTM3U\r\n", "#EXTM3U\n"],
  ])("the checker reports a wrong rewrite: %s", (complaint, before, after) => {
    const complaints = complaintsAbout(before, after, { base });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(complaint);
  });
});
