import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { startCaddy } from "#tests/support/servers/caddy.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { startNginx, startNginxWithCertificate } from "#tests/support/servers/nginx.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * Debian's Caddy and nginx in front of the site, with the shipped configuration and a certificate, as outside users reach
 * it.
 */

const films = temporaryFolder("films-behind-a-proxy");
const film = randomBytes(3_000_000);
const filmName = "Bleach - 1 zqxjkvunlikely.mp4";
mkdirSync(films, { recursive: true });
writeFileSync(join(films, filmName), film);

type Proxy = Awaited<ReturnType<typeof startCaddy>>;

async function startSiteBehind(start: (port: number, sitePort: number) => Promise<Proxy>) {
  const [port, sitePort] = [await freePort(), await freePort()];
  const site = await startSite({
    PORT: String(sitePort),
    PUBLIC_URL: `https://localhost:${port}`,
    TRUST_PROXY: "1",
    MEDIA_DIR: films,
    FILMS: "members",
  });
  runTool(site, "sources", ["add", "269", "1", `media:${filmName}`]);
  return start(port, sitePort);
}

type Asked = { method?: string; headers?: Record<string, string>; body?: string | Buffer };
type Answer = { status: number | undefined; headers: IncomingHttpHeaders; body: Buffer };

/** A browser that trusts the certificate, keeps cookies, and names its page in the header Origin. */
class Client {
  readonly proxy: Proxy;
  readonly cookies = new Map<string, string>();

  constructor(proxy: Proxy) {
    this.proxy = proxy;
  }

  ask(path: string, { method = "GET", headers = {}, body }: Asked = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const Cookie = cookieHeader(this.cookies);
      const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
      const sent = request(
        new URL(path, this.proxy.origin),
        {
          method,
          ca: this.proxy.authority,
          headers: { Origin: this.proxy.origin, ...(Cookie && { Cookie }), ...length, ...headers },
        },
        (answer) => {
          keepCookies(this.cookies, answer.headers["set-cookie"] ?? []);
          buffer(answer).then((read) => {
            resolve({ status: answer.statusCode, headers: answer.headers, body: read });
          }, reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  post(path: string, fields: Record<string, string>): Promise<Answer> {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.ask(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
  }

  async json(path: string, sent?: unknown) {
    const headers = { "Content-Type": "application/json" };
    const answer = await this.ask(
      path,
      sent === undefined ? {} : { method: "POST", headers, body: JSON.stringify(sent) },
    );
    return { ...answer, data: JSON.parse(answer.body.toString()) };
  }
}

/** The page's text, short enough to read in a test report. */
const noticeOf = ({ body }: Answer) =>
  (/<main.*?<\/main>/s.exec(body.toString())?.[0] ?? "").replaceAll(/<[^>]*>/g, " ").slice(0, 500);

const someone = { username: "Aki", email: "aki@example.org", password: goodPassword };

describe.each([
  ["Caddy", startCaddy],
  ["nginx", startNginxWithCertificate],
])("%s", async (_name, start) => {
  const proxy = await startSiteBehind(start);
  const phone = new Client(proxy);
  const secrets: string[] = [];

  test("a member signs up and in on the pages, with a cookie sent only to this host and over https", async () => {
    const made = await new Client(proxy).json("/api/auth/signup", someone);
    expect(made.status).toBe(201);
    const { email, password } = someone;
    const signedIn = await phone.post("/signin", { email, password });
    expect([signedIn.status, signedIn.headers.location]).toEqual([302, "/"]);
    const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^__Host-engawa-session=[^;]{20,};/);
    for (const part of ["Secure", "HttpOnly", "Path=/"]) expect(cookie).toContain(`; ${part}`);
    expect((await phone.ask("/settings")).status).toBe(200);
    expect((await new Client(proxy).ask("/settings")).status).toBe(302);
    const elsewhere = { headers: { Origin: "https://elsewhere.example" }, method: "POST", body: "" };
    expect((await phone.ask("/signin", elsewhere)).status).toBe(403);
    secrets.push(...phone.cookies.values());
  });

  test("films play whole and from any position, with a session and with a signed address", async () => {
    const { data } = await phone.json("/api/episodes/getEpisode?mal_id=269&ep=1");
    const signed = new URL(data.data.sources[0].url);
    expect(signed.origin).toBe(proxy.origin);
    const pass = /^\/signed\/([^/]+)/.exec(signed.pathname)?.[1] ?? "";
    expect(pass.length).toBeGreaterThan(60);
    secrets.push(pass);
    const bySession = signed.pathname.replace(/^\/signed\/[^/]+/, "");
    const visitor = new Client(proxy);
    expect([401, 403, 404]).toContain((await visitor.ask(bySession)).status);
    for (const [client, path] of [
      [phone, bySession],
      [visitor, signed.pathname],
    ] as const) {
      const whole = await client.ask(path);
      expect([whole.status, whole.body.equals(film)]).toEqual([200, true]);
      const middle = await client.ask(path, { headers: { Range: "bytes=1500000-1500099" } });
      expect([middle.status, middle.headers["content-range"]]).toEqual([
        206,
        "bytes 1500000-1500099/3000000",
      ]);
      expect(middle.body.equals(film.subarray(1_500_000, 1_500_100))).toBe(true);
      const end = await client.ask(path, { headers: { Range: "bytes=-100" } });
      expect([end.status, end.body.equals(film.subarray(-100))]).toEqual([206, true]);
    }
  });

  test("a picture of 24 MB is accepted, and the site itself refuses a larger upload", async () => {
    const [width, height] = [2900, 2900];
    const noise = randomBytes(width * height * 3);
    const picture = await sharp(noise, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(picture.length).toBeGreaterThan(mebibytes(24));
    const kept = await phone.json("/api/uploadImage", {
      filename: "noise.png",
      image: picture.toString("base64"),
    });
    expect(kept.status, kept.body.toString().slice(0, 200)).toBe(200);
    const tooLarge = await phone.json("/api/uploadImage", {
      filename: "x.png",
      image: "A".repeat(mebibytes(65)),
    });
    expect([tooLarge.status, tooLarge.data.status]).toEqual([413, 413]);
  });

  test("a screen without a keyboard is signed in by the phone", async () => {
    const screen = new Client(proxy);
    const shown = await screen.post("/link", { intent: "show" });
    expect([shown.status, shown.headers.location]).toEqual([302, "/link"]);
    expect([...screen.cookies.keys()]).toContainEqual(expect.stringMatching(/^__Host-/));
    const page = (await screen.ask("/link")).body.toString().replaceAll("<!-- -->", "");
    expect(page).toContain(`${new URL(proxy.origin).host}/link`);
    const [code = ""] = /(?<=class="link-code">)[A-Z]{4}-[A-Z]{4}/.exec(page) ?? [];
    expect(code).not.toBe("");
    expect((await screen.ask("/settings")).status).toBe(302);
    const { data } = await phone.json("/api/auth/session");
    const confirmed = await phone.post("/link", { intent: "confirm", code, profile: data.data.user.id });
    expect(noticeOf(confirmed)).toContain("is now being signed in");
    secrets.push(code, ...screen.cookies.values());
    await screen.ask("/link/continue");
    expect((await screen.ask("/settings")).status).toBe(200);
    secrets.push(...screen.cookies.values());
  });

  test("the proxy's logs contain the requests, and none of their secrets", async () => {
    // A mailed link opens its page, and the files of the page are requested with its address as Referer.
    for (const path of ["/reset", "/verify", "/reset.data", "/Verify/"]) {
      const secret = randomBytes(24).toString("base64url");
      const address = `${path}?token=${secret}`;
      await new Client(proxy).ask(address);
      await new Client(proxy).ask("/healthz", { headers: { Referer: proxy.origin + address } });
      secrets.push(secret);
    }
    await new Client(proxy).ask("/about?last=request");
    await expect.poll(proxy.logs).toContain("/about?last=request");
    const logs = proxy.logs();
    for (const path of ["/signin", "/signed/-", "/api/uploadImage", "/reset?-", "/verify?-"])
      expect(logs).toContain(path);
    expect(secrets.length).toBeGreaterThan(4);
    // A cleared cookie has no value.
    for (const secret of [...secrets.filter(Boolean), goodPassword, "zqxjkvunlikely"])
      expect(logs).not.toContain(secret);
  });
});

test("nginx waits for the end of an import, and no longer than its own limit for other requests", async () => {
  const imports = [
    "/admin/catalog-file",
    "/admin/catalog-file.data",
    "/list/import.data",
    "/settings/import.data",
    "/api/user/import",
    "/api/user/watchList/import",
  ];
  const end: (() => void)[] = [];
  const site = await startUpstream(({ url = "" }, response) => {
    if (imports.includes(url)) end.push(() => response.end());
  });
  const { origin } = await startNginx(await freePort(), [site.port, site.port], {
    defaults: "proxy_read_timeout 1s;",
  });
  const statusOf = async (path: string) => (await fetch(origin + path, { method: "POST" })).status;
  const answers = Promise.all(imports.map(statusOf));
  await until(() => end.length === imports.length);
  expect(await statusOf("/list")).toBe(504);
  for (const answer of end) answer();
  expect(await answers).toEqual(imports.map(() => 200));
});
