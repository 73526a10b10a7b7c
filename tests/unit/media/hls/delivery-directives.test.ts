import { expect, test } from "vitest";
import { readDirectives } from "#app/media/hls/delivery-directives.ts";

const read = (query: string) => readDirectives(new URLSearchParams(query));

test("the directives of the drafts are read in their order", () => {
  const all: [string, string][] = [
    ["_HLS_msn", "18446744073709551615"],
    ["_HLS_part", "0"],
    ["_HLS_push", "0"],
    ["_HLS_skip", "v2"],
    ["_HLS_pathway", '"CDN-A.1_x"'],
    ["_HLS_throughput", "6000000"],
    ["_HLS_primary_id", "40FE1829-438E-49B0-8B3A-A285DD4A8154"],
    ["_HLS_start_offset", "5.25"],
  ];
  expect(read(`url=x&${new URLSearchParams(all)}&sig=y`)).toEqual(all);
});

test.each([
  "_HLS_token=1",
  "_HLS_=1",
  "_hls_msn=1",
  "_HLS_msn=",
  "_HLS_msn=-1",
  "_HLS_msn=1%262",
  `_HLS_msn=${"1".repeat(21)}`,
  "_HLS_msn=1%0A",
  "_HLS_part=1.5",
  "_HLS_push=2",
  "_HLS_skip=yes",
  "_HLS_pathway=a/b",
  '_HLS_pathway="a',
  "_HLS_primary_id=a%2Fb",
  `_HLS_primary_id=${"a".repeat(65)}`,
  "_HLS_start_offset=1e9",
  "_HLS_interstitial_id=ad1",
])("%s is ignored", (query) => {
  expect(read(query)).toEqual([]);
});

test("the first value of a form counts, and the rest are ignored", () => {
  expect(read("_HLS_msn=x&_HLS_msn=1&_HLS_msn=2")).toEqual([["_HLS_msn", "1"]]);
});
