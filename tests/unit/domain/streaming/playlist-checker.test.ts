import { describe, expect, it } from "vitest";
import { rewritePlaylist } from "#app/domain/streaming/hls/playlist.ts";
import { complaintsAbout } from "#tests/support/checks/playlist-checker.ts";

const base = "https://films.example.org/one/index.m3u8?token=a%2Bb";
const proxied = (url: string) => `/api/videoProxy?url=${encodeURIComponent(url)}`;
const key = proxied("https://films.example.org/one/k.bin");

describe("the judge of rewritten playlists", () => {
  it.each([
    ["space around the signs of an attribute", '#EXT-X-KEY:METHOD=AES-128 , URI = "k.bin" ,IV=0x01'],
    ["what follows a broken attribute", '#EXT-X-KEY:METHOD=AES-128,URI="k.bin",IV'],
    ["a parameter that no definition asks for", '#EXT-X-OTHER:QUERYPARAM="token"'],
    ["a tag behind a byte order mark", '\uFEFF#EXT-X-MAP:URI="k.bin"'],
    ["names that every object has", "a{$constructor}.ts"],
    [
      "a value that looks like a reference",
      '#EXT-X-DEFINE:NAME="a",VALUE="{$b}"\n#EXT-X-DEFINE:NAME="b",VALUE="2"\n{$a}/{$b}.ts',
    ],
  ])("reads %s as the rewriter does", (_what, text) => {
    expect(complaintsAbout(text, rewritePlaylist(text, base), { base })).toEqual([]);
  });

  it.each([
    ["another tag", '#EXT-X-KEY:URI="k.bin"', `#EXT-X-MAP:URI="${key}"`],
    ["what follows the attributes changed", '#EXT-X-KEY:URI="k.bin",IV', `#EXT-X-KEY:URI="${key}"`],
    ["what stands around URI changed", '#EXT-X-KEY:URI ="k.bin"', `#EXT-X-KEY:URI="${key}"`],
    ["what stands around IV changed", '#EXT-X-KEY:URI="k.bin" ,IV=1', `#EXT-X-KEY:URI="${key}",IV=1`],
    ["attribute IV became I", '#EXT-X-KEY:URI="k.bin",IV=1', `#EXT-X-KEY:URI="${key}",I=1`],
    ["IV changed", '#EXT-X-KEY:URI="k.bin",IV=1', `#EXT-X-KEY:URI="${key}",IV=2`],
    ["does not go through the proxy", '#EXT-X-KEY:URI = "k.bin"', '#EXT-X-KEY:URI = "k.bin"'],
    ["does not go through the proxy", '  #EXT-X-KEY:URI="k.bin"', '  #EXT-X-KEY:URI="k.bin"'],
    ["the space before the tag changed", '  #EXT-X-KEY:URI="k.bin"', `#EXT-X-KEY:URI="${key}"`],
    ["leads to https://films.example.org/one/k.bin", "other.bin", key],
    ["the byte order mark was lost", "\uFEFF#EXTM3U", "#EXTM3U"],
    ["changed, though it holds no address", "#EXTINF:4,a", "#EXTINF:4,b"],
    ["2 lines became 1", "#EXTM3U\n", "#EXTM3U"],
    ["another line ending", "#EXTM3U\r\n", "#EXTM3U\n"],
  ])("finds: %s", (complaint, before, after) => {
    const complaints = complaintsAbout(before, after, { base });
    expect(complaints).toHaveLength(1);
    expect(complaints[0]).toContain(complaint);
  });
});
