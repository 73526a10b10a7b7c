import { createHash } from "node:crypto";
import { expect, test } from "vitest";

process.env.PUBLIC_CACHE = "1";
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");

/** The pages that visitors get from memory. */

const paths = [
  "/",
  "/browse",
  "/search?q=eiyuu",
  "/schedule",
  "/seasons/2020/winter",
  "/api",
  "/browse.data",
];

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await request(path, { headers });
  return { response, text: await response.text() };
};

test.each(paths)("%s is the same for two visitors, byte for byte", async (path) => {
  const [one, other] = [await read(path), await read(path)];
  expect(one.response.status).toBe(200);
  expect(other.text).toBe(one.text);
  expect(other.response.headers.get("ETag")).toBe(one.response.headers.get("ETag"));
  expect(one.response.headers.get("Cache-Control")).toBe("private, no-store");
  expect(one.text).not.toContain("nonce=");
});

test("its policy allows only the scripts and the style that it contains", async () => {
  const { response, text } = await read("/browse");
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const hashesIn = (directive: string) =>
    (new RegExp(`${directive} 'self' ([^;]+);`).exec(policy)?.[1] ?? "").split(" ");
  const hashesOf = (element: RegExp) =>
    [...text.matchAll(element)].map(
      ([, content = ""]) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`,
    );
  const scripts = hashesOf(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g);
  expect(scripts.length).toBeGreaterThan(1);
  expect(hashesIn("script-src")).toEqual([...new Set(scripts)]);
  expect(hashesIn("style-src")).toEqual(hashesOf(/<style[^>]*>([\s\S]*?)<\/style>/g));
});

test("visitors with other preferences, an accent color or other machines get their own pages", async () => {
  const standard = (await read("/schedule")).text;
  const tokyo = (await read("/schedule", { Cookie: "visitor=tz=America%2FNew_York" })).text;
  const accent = await read("/schedule", { Cookie: "visitor=enfasis=%23ff0000" });
  const shows = await read("/schedule", { Cookie: "visitor=parental_control=false" });
  const light = (await read("/schedule", { Cookie: "visitor=theme=light" })).text;
  const english = (await read("/schedule", { Cookie: "visitor=titles=english" })).text;
  expect(new Set([standard, tokyo, light, english, accent.text, shows.text]).size).toBe(6);
  for (const { response } of [accent, shows])
    expect(response.headers.get("Content-Security-Policy")).toContain("'nonce-");
  expect((await read("/schedule")).text).toBe(standard);
});

test("no two rendered answers share a nonce, and no nonce occurs outside its own policy", async () => {
  const member = await newMember();
  const paths = ["/", "/browse", "/anime/7960", "/settings", "/nothing-here", "/seasons/2024.5/fall"];
  const ask = (path: string) => [
    member.request(path),
    new Visitor().request(path, { headers: { Cookie: "visitor=enfasis=%23ff0000" } }),
  ];
  const answers = await Promise.all([...paths, ...paths].flatMap(ask));
  const seen = new Set<string>();
  for (const answer of answers) {
    const text = await answer.text();
    const policy = answer.headers.get("Content-Security-Policy") ?? "";
    const nonces = new Set(
      [...(text + policy).matchAll(/nonce[-=]"?([\w+/=-]{16,})/g)].map(([, nonce]) => nonce),
    );
    if (answer.status === 302) continue;
    expect([answer.url, nonces.size]).toEqual([answer.url, 1]);
    for (const nonce of nonces) {
      expect(seen).not.toContain(nonce);
      seen.add(String(nonce));
    }
  }
  expect(seen.size).toBeGreaterThan(paths.length * 3);
});

test("a member gets no cached page, and none of theirs is cached", async () => {
  const member = await newMember();
  const own = await (await member.request("/seasons/2021/spring")).text();
  const visitors = await (await new Visitor().request("/seasons/2021/spring")).text();
  expect(own).toContain(member.username);
  expect(visitors).not.toContain(member.username);
  expect(await (await member.request("/seasons/2021/spring")).text()).toContain(member.username);
});

test("a stranger's invented headers and cookies affect no other visitor's page", async () => {
  const poison = "poison-1.example";
  await read("/seasons/2019/fall", {
    Host: poison,
    "X-Forwarded-Host": poison,
    "X-Forwarded-For": poison,
    "X-Request-Id": poison,
    Origin: `https://${poison}`,
    Referer: `https://${poison}/`,
    Cookie: `a=${poison}; visitor=titles=${poison}&tz=${poison}`,
    "Accept-Language": poison,
    "User-Agent": poison,
  });
  await read(`/seasons/2019/fall?x=${poison}`);
  const { response, text } = await read("/seasons/2019/fall");
  expect(JSON.stringify([...response.headers])).not.toContain(poison);
  expect(text).not.toContain(poison);
});

test("links with unknown query names get the same page, whose canonical link contains none of them", async () => {
  const path = "/seasons/2018/fall";
  const links = Array.from({ length: 20 }, (_, at) => `${path}?utm_source=${at}&fbclid=poison${at}&q=a`);
  const texts = new Set<string>();
  for (const link of [path, ...links]) texts.add((await read(link)).text);
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain(`<link rel="canonical" href="http://localhost:3000${path}"/>`);
  // The browse page leads to its shorter address only from what it reads.
  expect((await read("/browse?utm_source=1")).response.status).toBe(200);
  expect((await read("/browse?utm_source=1&action=with&q=")).response.headers.get("Location")).toBe(
    "/browse?genre=action",
  );
  const member = await newMember();
  expect(await (await member.request(`${path}?poison=1`)).text()).not.toContain("poison");
});

test.each([
  ["/search?page=2&q=e", "/search?utm_source=1&q=e&q=f&page=2&page="],
  ["/schedule", "/schedule?week="],
  ["/schedule.data?_routes=root", "/schedule.data?x=1&_routes=nothing%2Croot"],
])("%s and %s are one page", async (path, spelled) => {
  const asked = await read(path);
  expect([asked.response.status, (await read(spelled)).text]).toEqual([200, asked.text]);
});

test("a title has one page for all links to it, and a link with a wrong name redirects without the extra query", async () => {
  await importTitles([{ kind: "title", mal_id: 7961, title: "Lamp Post" }]);
  const wrong = await read("/anime/7961?x=1&episodes=1");
  const path = "/anime/7961/lamp-post?episodes=1";
  expect(wrong.response.headers.get("Location")).toBe(path);
  const one = await read(path);
  expect([one.response.status, (await read(`${path}&fbclid=1&episodes=`)).text]).toEqual([200, one.text]);
});

test("titles follow the browser's language until a visitor chooses one, and only pages vary by it", async () => {
  await importTitles([
    {
      mal_id: 804501,
      title: "Kaze no Uta",
      title_english: "Song of Wind",
      title_japanese: "風の歌",
      type: "TV",
    },
  ]);
  const nameIn = async (path: string, headers: Record<string, string>) => {
    const { response, text } = await read(path, headers);
    expect([path, response.status, response.headers.get("Vary")]).toEqual([
      path,
      200,
      expect.stringContaining("Accept-Language"),
    ]);
    return /<h1[^>]*>([^<]*)</.exec(text)?.[1];
  };
  const path = "/anime/804501/kaze-no-uta";
  for (const _ of ["rendered", "from memory"]) {
    expect(await nameIn(path, {})).toBe("Kaze no Uta");
    expect(await nameIn(path, { "Accept-Language": "en-US,en;q=0.9" })).toBe("Song of Wind");
    expect(await nameIn(path, { "Accept-Language": "pt-BR" })).toBe("Song of Wind");
    expect(await nameIn(path, { "Accept-Language": "ja,en;q=0.5" })).toBe("風の歌");
    const older = { Cookie: "visitor=tz=Europe%2FBerlin", "Accept-Language": "en" };
    expect(await nameIn(path, older)).toBe("Kaze no Uta");
  }
  const visitor = new Visitor();
  await visitor.request("/visitor", { form: { titleLanguage: "romaji", theme: "dark" } });
  expect(visitor.cookieHeader).toContain("visitor=");
  const chosen = { Cookie: visitor.cookieHeader, "Accept-Language": "en" };
  expect(await nameIn(path, chosen)).toBe("Kaze no Uta");
  const json = await read("/api/animes/getAnime?id=804501", { "Accept-Language": "ja" });
  expect(json.response.headers.get("Vary") ?? "").not.toContain("Accept-Language");
});
