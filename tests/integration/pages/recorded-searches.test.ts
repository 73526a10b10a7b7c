import { expect, test } from "vitest";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** The search page is the only page that writes on GET. It records no search that a browser only prefetches. */

const recorded = async (member: Visitor) =>
  (await dataOf<{ query: string }[]>(member.request("/api/user/searchHistory"))).map(({ query }) => query);

test.each(["/search?q=bebop", "/search.data?q=bebop"])("%s records the search of a member", async (path) => {
  const member = await newMember();
  expect((await member.request(path)).status).toBe(200);
  expect(await recorded(member)).toEqual(["bebop"]);
});

test.each([
  ["/search?q=bebop", { "Sec-Purpose": "prefetch" }],
  ["/search?q=bebop", { "Sec-Purpose": "prefetch;prerender" }],
  ["/search?q=bebop", { Purpose: "prefetch" }],
  ["/search?q=bebop", { "X-Moz": "prefetch" }],
  ["/search.data?q=bebop", { "Sec-Purpose": "prefetch" }],
])("%s with %j gets 200 and records nothing", async (path, headers) => {
  const member = await newMember();
  expect((await member.request(path, { headers })).status).toBe(200);
  expect(await recorded(member)).toEqual([]);
});

test.each([
  { "Sec-Fetch-Site": "cross-site" },
  { "Sec-Fetch-Site": "same-site" },
  { Referer: "https://elsewhere.example/" },
  { Referer: "no address" },
])("a link of another site to the search page, %j, gets 200 and records nothing", async (headers) => {
  const member = await newMember();
  for (const path of ["/search?q=bebop", "/search.data?q=bebop"])
    expect((await member.request(path, { headers })).status).toBe(200);
  expect(await recorded(member)).toEqual([]);
});

test.each([
  { "Sec-Fetch-Site": "same-origin", Referer: "http://localhost:3000/" },
  { "Sec-Fetch-Site": "none" },
  { Referer: "http://localhost:3000/browse" },
])("a search on our own page or in the address bar, %j, is recorded", async (headers) => {
  const member = await newMember();
  expect((await member.request("/search?q=bebop", { headers })).status).toBe(200);
  expect(await recorded(member)).toEqual(["bebop"]);
});

test.each(["/search", "/search?q=", "/search?q=bebop&page=2"])("%s records nothing", async (path) => {
  const member = await newMember();
  expect((await member.request(path)).status).toBe(200);
  expect(await recorded(member)).toEqual([]);
});

test.each(["/search?q=bebop", "/search.data?q=bebop"])("HEAD %s records nothing", async (path) => {
  const member = await newMember();
  expect((await member.request(path, { method: "HEAD" })).status).toBe(200);
  expect(await recorded(member)).toEqual([]);
});
