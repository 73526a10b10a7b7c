import { describe, expect, test, vi } from "vitest";
import { importRecords, readRecords } from "#app/domain/catalog-import/catalog-import.server.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

/** The headers and metadata of pages for browsers, crawlers and caches. */

const record = (fields: object) =>
  `${JSON.stringify({ kind: "title", type: "TV", genres: ["Drama"], ...fields })}\n`;

async function* lines() {
  yield record({
    mal_id: 7001,
    title: "Rain on the Eaves",
    synopsis: "It rains.",
    year: 2020,
    season: "Fall",
    episodes: 2,
  });
  yield record({ mal_id: 7002, title: "Ａ→Ω", year: 2020, season: "Fall" });
  yield record({ mal_id: 7003, title: "Behind the Screen", rating: "Rx - Hentai", genres: ["Hentai"] });
}
await importRecords(readRecords(lines()), { includeAdult: true });

const page = async (path: string, headers: HeadersInit = {}) => {
  const response = await request(path, { headers });
  return { response, html: await response.text() };
};
const tag = (html: string, pattern: RegExp) => pattern.exec(html)?.[1];

describe("a title's page", () => {
  test("redirects from any other name in its path to its own, with the query", async () => {
    for (const path of ["/anime/7001", "/anime/7001/wrong", "/anime/7001/rain-on-the-eave"]) {
      const { response } = await page(path);
      expect(response.status).toBe(301);
      expect(response.headers.get("Location")).toBe("/anime/7001/rain-on-the-eaves");
    }
    const kept = await page("/anime/7001?episodes=2");
    expect(kept.response.headers.get("Location")).toBe("/anime/7001/rain-on-the-eaves?episodes=2");
    expect((await page("/anime/7001/rain-on-the-eaves")).response.status).toBe(200);
  });

  test("has a title, a description, a canonical URL and Open Graph tags", async () => {
    const { html } = await page("/anime/7001/rain-on-the-eaves");
    expect(tag(html, /<title>([^<]*)<\/title>/)).toBe("Rain on the Eaves (2020) · Engawa");
    expect(tag(html, /<meta name="description" content="([^"]*)"/)).toBe("It rains.");
    expect(tag(html, /<link rel="canonical" href="([^"]*)"/)).toBe(`${origin}/anime/7001/rain-on-the-eaves`);
    expect(tag(html, /<meta property="og:image" content="([^"]*)"/)).toBe(`${origin}/poster/7001.webp?w=640`);
    expect(tag(html, /<meta property="og:type" content="([^"]*)"/)).toBe("video.tv_show");
  });

  test.each(["/anime/0", "/anime/99999999999", "/anime/abc", "/anime/7009"])(
    "of an unknown title gets 404 with the request's id: %s",
    async (path) => {
      const { response, html } = await page(path);
      expect(response.status).toBe(404);
      expect(html).toContain("No such title here");
      expect(html).toMatch(/Request <code[^>]*>[\w-]+</);
    },
  );

  test("of a mature title gets 403 without its name, and no page lists it, unless the visitor turned parental control off", async () => {
    const { response, html } = await page("/anime/7003");
    expect(response.status).toBe(403);
    expect(html).not.toContain("Behind the Screen");
    const shown = await page("/anime/7003/behind-the-screen", { Cookie: "visitor=parental_control=false" });
    expect(shown.response.status).toBe(200);
    for (const path of ["/", "/browse", "/search?q=behind+the+screen", "/seasons/2020/fall"])
      expect((await page(path)).html).not.toContain("Behind the Screen");
  });

  test("without an English name keeps its name for a visitor who prefers English", async () => {
    const { html } = await page("/search?q=rain+on+the+eaves", { Cookie: "visitor=titles=english" });
    expect(html).toContain("Rain on the Eaves");
  });
});

describe("URLs", () => {
  test("a browse URL with needless parameters is redirected to the shortest one", async () => {
    const { response } = await page("/browse?year=&drama=with&sort=popular&page=1&nonsense=1");
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/browse?genre=drama");
  });

  test("a season in capitals is redirected to small letters, and an invalid season or year gets 404", async () => {
    expect((await page("/seasons/2020/Fall")).response.headers.get("Location")).toBe("/seasons/2020/fall");
    expect((await page("/seasons/2020/monsoon")).response.status).toBe(404);
    expect((await page("/seasons/20x0/fall")).response.status).toBe(404);
  });

  test("/random redirects to a title that matches the filters, or to /browse without a match, and is not cached", async () => {
    const { response } = await page("/random?year=2020&genre=drama");
    expect(response.headers.get("Location")).toMatch(/^\/anime\/700[12]\//);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect((await page("/random?year=1901")).response.headers.get("Location")).toBe("/browse?year=1901");
  });

  test("pages are marked private, so that shared caches do not store them", async () => {
    for (const path of ["/", "/browse", "/schedule", "/anime/7001/rain-on-the-eaves"])
      expect((await page(path)).response.headers.get("Cache-Control")).toContain("private");
  });

  const odd = [
    "/browse?q=%00",
    "/search?q=%F0%9F",
    "/browse?genre[]=x&genre=__proto__",
    `/search?q=${"x".repeat(5000)}`,
    "/schedule?week=9999-99-99",
    "/schedule?week=0000-01-01",
    "/schedule?week=9999-12-31",
    "/seasons/0000/fall",
    "/seasons/9999/fall",
    "/seasons/99999/fall",
    "/anime/7001?episodes=-1",
    "/anime/7001/%00",
    "/watch/7001/1e5",
    "/search?q=%ED%A0%80",
    "/signin?redirectTo=%00",
    "/verify?token=%00",
    "/reset?token=%00",
    "/random?year=0000&score=1e9",
    "/browse?more=1e9&page=-1&year=0",
    "/poster/99999999999.webp?w=1e9",
    "/poster/0.webp",
    "/api/animes/full?year=99999999999&page=1e300",
    "/api/animes/full?studio_filter=%F0%9F",
    "/api/animes/episodes?id=1&page=1e300",
  ];
  test.each(odd.map((path) => [path.slice(0, 60), path] as const))("%s gets no 5xx", async (_, path) =>
    expect((await page(path)).response.status).toBeLessThan(500),
  );
});

test("another method on a page gets 405 with Allow, and on an unknown path 404", async () => {
  for (const [method, path, allow] of [
    ["PUT", "/signin", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/signup", "GET, HEAD, POST, OPTIONS"],
    ["PUT", "/signin.data", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/_.data", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/browse", "GET, HEAD, OPTIONS"],
    ["PUT", "/", "GET, HEAD, POST, OPTIONS"],
    ["POST", "/browse", "GET, HEAD, OPTIONS"],
    ["PUT", "/x/../signin", "GET, HEAD, POST, OPTIONS"],
    ["PUT", "/x/%2e%2e/signin", "GET, HEAD, POST, OPTIONS"],
    ["PUT", "/./signin", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/%73ignin", "GET, HEAD, POST, OPTIONS"],
    ["DELETE", "/SignIn///", "GET, HEAD, POST, OPTIONS"],
    ["PATCH", "/x/../browse.data", "GET, HEAD, OPTIONS"],
    ["PUT", "/apple-touch-icon.png", "GET, HEAD, OPTIONS"],
  ] as const) {
    const response = await request(path, { method, headers: { Origin: origin } });
    expect([response.status, response.headers.get("Allow")], `${method} ${path}`).toEqual([405, allow]);
  }
  expect((await request("/where", { method: "PUT" })).status).toBe(404);
});

test("a form from another site gets 403 with a page, and no error is logged", async () => {
  const logged = vi.spyOn(process.stderr, "write");
  const body = () => new URLSearchParams({ email: "a@example.org", password: "Abc123!x" });
  for (const from of ["https://evil.example", "null", "no origin at all"])
    for (const path of [
      "/signin",
      "/settings",
      "/settings/account",
      "/anime/1",
      "/admin/users",
      "/signin.data",
      "/visitor.data",
    ]) {
      const headers = { Origin: from, Accept: "text/html" };
      const response = await request(path, { method: "POST", headers, body: body() });
      expect(response.status, `${path} from ${from}`).toBe(403);
      expect(response.headers.get("Cache-Control")).toContain("no-store");
      const text = await response.text();
      if (!path.startsWith("/visitor")) expect(text).toContain("Sent from another site");
      expect(text).not.toContain("Hidden by parental control");
    }
  expect(logged.mock.calls).toEqual([]);
});

test("an encoded NUL in the query gets a page, not an error in JSON", async () => {
  for (const path of ["/search?q=%00", "/browse?q=a%00b", "/search?q=%%0000", "/where?%00=1"]) {
    const { response, html } = await page(path, { Accept: "text/html" });
    expect(response.status, path).toBe(path.startsWith("/where") ? 404 : 200);
    expect(html).toContain("<h1");
  }
});

describe("search engines", () => {
  test("are excluded by default: robots.txt disallows all, pages say noindex, and there is no sitemap", async () => {
    expect((await page("/robots.txt")).html).toBe("User-agent: *\nDisallow: /\n");
    expect((await page("/sitemap.xml")).response.status).toBe(404);
    expect((await page("/")).html).toContain('<meta name="robots" content="noindex"/>');
  });
});

describe("a visitor's preferences", () => {
  const post = (form: Record<string, string>, headers: HeadersInit = {}) =>
    request("/visitor", { method: "POST", body: new URLSearchParams(form), headers });

  test("are saved in the cookie by a form, which redirects back", async () => {
    const answer = await post(
      { timeZone: "Europe/Berlin", redirectTo: "/schedule?week=2026-10-19" },
      { Cookie: "visitor=titles=english" },
    );
    expect(answer.status).toBe(303);
    expect(answer.headers.get("Location")).toBe("/schedule?week=2026-10-19");
    expect(answer.headers.get("Set-Cookie")).toMatch(
      /^visitor=tz=Europe%2FBerlin&titles=english; Path=\/; Max-Age=\d+; SameSite=Lax$/,
    );
  });

  test("ignore invalid values, and a redirectTo to another site leads to /", async () => {
    const answer = await post({
      timeZone: "Mars/Olympus",
      enfasiscolor: "red",
      redirectTo: "//evil.example",
    });
    expect(answer.headers.get("Location")).toBe("/");
    expect(answer.headers.get("Set-Cookie")).toMatch(/^visitor=theme=system&titles=browser; /);
  });

  test.each([
    ["text/plain", 415],
    ["application/json", 400],
    ["multipart/form-data", 400],
    ["multipart/form-data; boundary=x", 400],
  ])("do not change by a body of type %s, which gets %i", async (type, status) => {
    const headers = { "Content-Type": type };
    const answer = await request("/visitor", { method: "POST", body: "{", headers });
    expect(answer.status).toBe(status);
    expect(answer.headers.has("Set-Cookie")).toBe(false);
    const watchPage = await request("/watch/900000001/1", { method: "POST", body: "{", headers });
    expect(watchPage.status).toBe(status);
  });

  test("do not change by a form of 70 kB, which gets 413", async () => {
    const form = { timeZone: "Europe/Berlin", redirectTo: "x".repeat(70_000) };
    expect((await post(form)).status).toBe(413);
  });

  test("do not change by a form from another site, which gets 403", async () => {
    const answer = await post({ parentalControl: "false" }, { Origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect(answer.headers.has("Set-Cookie")).toBe(false);
  });

  test("set the accent color of a page in one style element with a nonce", async () => {
    const { html } = await page("/", { Cookie: `visitor=${new URLSearchParams({ enfasis: "#ffd400" })}` });
    expect(html).toMatch(/<style nonce="[^"]+">:root\{--accent:#ffd400;/);
  });

  test("set the time zone of the schedule, which is Japan's by default", async () => {
    const { html } = await page("/schedule", { Cookie: "visitor=tz=America%2FNew_York" });
    expect(html).toContain("New York time");
    expect((await page("/schedule")).html).toContain("Japan time");
  });
});
