import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { cookiesOf } from "#tests/support/requests/session-member.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { newDataDir, startSite } from "#tests/support/site/site-process.ts";

/** A plain `npm start` on a developer's machine: embedded database, starter catalog, no network. */

const picture = await plainPng(64, 64, "#0a0");
const upstream = await startUpstream(({ url }, response) =>
  url === "/missing" ? response.writeHead(404).end() : response.end(picture),
);
// On a slow machine, the pictures below would take longer to draw than an address may ask for.
const site = await startSite({ RATE_LIMIT_IMAGE_SECONDS: "86400" });

const proxied = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${site.origin}/api/proxy?w=32&url=${encodeURIComponent(url)}`, { headers });

describe("in local mode", () => {
  test("a local client gets pictures of this machine without CORS headers, and a client behind a proxy gets 400", async () => {
    const response = await proxied(`${upstream.origin}/a.png`);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, null]);
    for (const headers of [{ "X-Forwarded-For": "203.0.113.7" }, { Via: "1.1 somewhere" }] as Record<
      string,
      string
    >[]) {
      const throughProxy = await proxied(`${upstream.origin}/a.png`, headers);
      expect(await throughProxy.json()).toMatchObject({
        status: 400,
        error: expect.stringContaining("ALLOW_PRIVATE_UPSTREAMS"),
      });
    }
  });

  test("the proxies let no other site read answers of services on this machine", async () => {
    const elsewhere = { Origin: "https://elsewhere.example" };
    for (const path of ["/missing", "/"]) {
      const asked = encodeURIComponent(path === "/" ? "http://127.0.0.1:1/" : upstream.origin + path);
      for (const proxy of ["proxy", "videoProxy"]) {
        const response = await fetch(`${site.origin}/api/${proxy}?url=${asked}`, { headers: elsewhere });
        expect(response.ok, path).toBe(false);
        expect(response.headers.get("access-control-allow-origin"), `${proxy} ${path}`).toBeNull();
      }
    }
    const nothing = await fetch(`${site.origin}/api/proxy`, { headers: elsewhere });
    expect(nothing.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("the picture proxy refuses other private and link-local addresses with 400", async () => {
    for (const host of ["10.0.0.1", "192.168.1.1", "169.254.169.254", "[fd00::1]", "0.0.0.0", "100.64.0.1"])
      expect([host, (await proxied(`http://${host}/`)).status]).toEqual([host, 400]);
  });

  test("pictures from this machine are not in the cache on disk", async () => {
    const cache = join(site.dataDir, "image-cache");
    const kept = readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
    expect(kept.filter((file) => file.includes(upstream.origin))).toEqual([]);
  });
});

const films = newDataDir();
const unset = await startSite({ FILMS: "", SIGNUPS: "", MEDIA_DIR: films });

test("home tells a client behind a proxy how to join from there, whatever this machine was told before", async () => {
  const joinText = async (headers: Record<string, string>) =>
    /Anybody can join|New members join by an invitation/.exec(
      await (await fetch(unset.origin, { headers })).text(),
    )?.[0];
  // A page of another site led this machine's browser here.
  for (const headers of [{ "Sec-Fetch-Site": "cross-site" }, {}] as Record<string, string>[])
    expect(await joinText(headers)).toBe("Anybody can join");
  expect(await joinText({ "X-Forwarded-For": "203.0.113.7" })).toBe("New members join by an invitation");
});

test("the operator reads who joins and who watches here, and nothing is selected that is not in force", async () => {
  const own = { Origin: unset.origin };
  const made = await fetch(`${unset.origin}/setup`, {
    method: "POST",
    redirect: "manual",
    headers: own,
    body: new URLSearchParams({ username: "Keeper", email: "keeper@example.org", password: "Abc123!x" }),
  });
  const Cookie = cookiesOf(made);
  const read = async (path: string) => (await fetch(unset.origin + path, { headers: { Cookie } })).text();
  const step = await read("/admin/setup?step=people");
  expect(step).toContain("Visitors at this machine also watch your videos, others do not.");
  expect(step).toContain("At this machine anybody can make an account and watch your videos.");
  const selected = [...step.matchAll(/<input type="radio"[^>]*>/g)].filter(([input]) =>
    input.includes("checked"),
  );
  expect(selected.map(([input]) => /value="(\w+)"/.exec(input)?.[1])).toEqual(["yes"]);
  expect(await read("/admin/invitations")).toContain("Anybody at this machine can make an account.");
  const chosen = await fetch(`${unset.origin}/admin/setup?step=people`, {
    method: "POST",
    redirect: "manual",
    headers: { ...own, Cookie },
    body: new URLSearchParams({ intent: "people", visitors: "yes" }),
  });
  expect(chosen.status).toBe(302);
  expect(await read("/admin/setup?step=people")).toContain("Nothing is chosen yet.");
});

test("visitors on this machine see the films of MEDIA_DIR; visitors behind a proxy and pages of other sites do not", async () => {
  writeFileSync(join(films, "film.mp4"), "film");
  const { origin } = unset;
  const askFor = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}/media/film.mp4`, { headers });
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  expect(await askFor()).toEqual([200, null]);
  const strangers = [{ Via: "1.1 somewhere" }, { Origin: "https://elsewhere.example" }] as Record<
    string,
    string
  >[];
  for (const headers of [...strangers, { "Sec-Fetch-Site": "cross-site" }])
    expect((await askFor(headers))[0], JSON.stringify(headers)).toBe(401);
  const listing = `${origin}/api/animes/full?playable=true`;
  for (let turn = 0; turn < 2; turn++) {
    expect((await fetch(listing)).status).toBe(200);
    expect((await fetch(listing, { headers: { Via: "1.1 somewhere" } })).status).toBe(401);
  }
});

test("every picture of a listing is served as WebP", async () => {
  const listing = await fetch(`${site.origin}/api/animes/full?limit_count=5`);
  const { data } = (await listing.json()) as { data: Record<string, string | null>[] };
  expect(data).toHaveLength(5);
  const urls = new Set(
    data.flatMap((title) =>
      ["image_url", "image_webp", "image_small_webp", "image_large_webp"].map((name) => title[name] ?? ""),
    ),
  );
  for (const url of urls) {
    const response = await proxied(url);
    expect([url, response.status, response.headers.get("content-type")]).toEqual([url, 200, "image/webp"]);
    await response.arrayBuffer();
  }
});
