import { expect, test } from "vitest";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { runNginx } from "#tests/support/servers/nginx.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A shared cache in front of the site that knows nothing about sessions or children. */

const port = await freePort();
await startSite({ PORT: String(port), TRUST_PROXY: "1", SIGNUPS: "open" });
const folder = temporaryFolder("shared-cache");
const own = await freePort();
const origin = `http://127.0.0.1:${own}`;
await runNginx(
  folder,
  own,
  `proxy_cache_path ${folder}/cache keys_zone=site:10m;
server {
  listen 127.0.0.1:${own};
  location / {
    proxy_pass http://127.0.0.1:${port};
    proxy_set_header Host $host:$server_port;
    proxy_cache site;
    add_header X-Cache $upstream_cache_status always;
  }
}`,
);

/** A browser that talks to the site behind the cache. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async post(path: string, type: string, body: string) {
    const headers = { "Content-Type": type, Cookie: cookieHeader(this.#cookies) };
    const answer = await fetch(origin + path, { method: "POST", redirect: "manual", headers, body });
    keepCookies(this.#cookies, answer.headers.getSetCookie());
    return answer;
  }

  form = (path: string, fields: Record<string, string>) =>
    this.post(path, "application/x-www-form-urlencoded", String(new URLSearchParams(fields)));

  get = (path: string) =>
    fetch(origin + path, { redirect: "manual", headers: { Cookie: cookieHeader(this.#cookies) } });
}

test("gives a child nothing that it stores for visitors, and stores nothing of a child's", async () => {
  const child = new Browser();
  const account = { username: "Haruka", email: "haruka@example.org", password: "Abcdef1!" };
  expect((await child.post("/api/auth/signup", "application/json", JSON.stringify(account))).status).toBe(
    201,
  );
  const profile = { name: "Mio", accent: "#16a34a", ceiling: "pg", pin: "2580" };
  expect((await child.form("/profiles/manage", profile)).status).toBe(302);
  const choice = await (await child.get("/profiles")).text();
  const [id = ""] = [...choice.matchAll(/value="([\da-f-]{36})"/g)].map(([, value]) => value).slice(-1);
  expect((await child.form("/profiles", { profile: id, redirectTo: "/" })).headers.get("Location")).toBe("/");

  // The title is rated R-17+. The poster for a child is drawn without a name.
  const paths = [
    ["/api/animes/getAnime?id=1", 403],
    ["/poster/1.webp?w=320", 200],
    ["/v4/anime/1", 404],
  ] as const;
  const visitor = new Browser();
  for (const [path, answered] of paths) {
    const kept = async (by: Browser) => {
      const answer = await by.get(path);
      await answer.arrayBuffer();
      return [path, answer.status, answer.headers.get("X-Cache")];
    };
    expect(await kept(visitor)).toEqual([path, 200, "MISS"]);
    expect(await kept(visitor)).toEqual([path, 200, "HIT"]);
    expect(await kept(child)).toEqual([path, answered, "MISS"]);
    expect(await kept(visitor)).toEqual([path, 200, "HIT"]);
  }
});
