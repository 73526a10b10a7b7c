import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { listStaticFiles } from "#app/http/pipeline/static-files.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

const script = `export const text = "${"engawa ".repeat(300)}";`;
const film = Buffer.alloc(1024 * 1024, "film");

const folder = temporaryFolder("static files");
const root = join(folder, "client");
await mkdir(join(root, "assets"), { recursive: true });
await mkdir(join(root, ".vite"));
await writeFile(join(folder, "secret.txt"), "secret");
await writeFile(join(root, ".env"), "secret");
await writeFile(join(root, ".vite/manifest.json"), "secret");
await writeFile(join(root, "assets/home-AbCd1234.js"), script);
await writeFile(join(root, "assets/home-AbCd1234.js.br"), brotliCompressSync(script));
await writeFile(join(root, "assets/worker-AbCd1234.js"), script);
await writeFile(join(root, "icon.svg"), "<svg/>");
await writeFile(join(root, "film.mp4"), film);
await writeFile(join(root, "縁 側.txt"), "porch");
await mkdir(join(root, "film"));
await writeFile(join(root, "film/1.vtt"), "WEBVTT\n");
await symlink(join(folder, "secret.txt"), join(root, "link.txt"));
await symlink(folder, join(root, "linked"));
const site = await listenTinySite({
  routes: {},
  files: await listStaticFiles(root),
  sharedFolders: { "/film/": asOwnMedia },
});
afterAll(() => site.close());

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${site.origin}${path}`, { method, headers: { "Accept-Encoding": "identity", ...headers } });

test("a file with a hash in its name is cached for a year, and any other file for an hour", async () => {
  const hashed = await get("/assets/home-AbCd1234.js");
  expect(hashed.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect(hashed.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
  expect(await hashed.text()).toBe(script);
  expect((await get("/icon.svg")).headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(await (await get(`/${encodeURIComponent("縁 側.txt")}`)).text()).toBe("porch");
});

test("files, and refusals of requests without a body, leave the connection open", async () => {
  const request = (path: string, last = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${last}\r\n`;
  const twice = request("/assets/home-AbCd1234.js").repeat(2);
  const refused = "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n";
  const answers = await sendRaw(site.port, twice + refused + request("/icon.svg", "Connection: close\r\n"));
  expect(statusesIn(answers)).toEqual([200, 200, 405, 200]);
});

test("only a worker's script may compile WebAssembly", async () => {
  const policyOf = async (path: string) => (await get(path)).headers.get("Content-Security-Policy");
  expect(await policyOf("/assets/worker-AbCd1234.js")).toContain("script-src 'self' 'wasm-unsafe-eval'");
  for (const path of ["/assets/home-AbCd1234.js", "/icon.svg"])
    expect(await policyOf(path)).toBe("default-src 'none'; frame-ancestors 'none'");
});

test("text is sent compressed with its own ETag, and media are sent unchanged", async () => {
  const plain = await get("/assets/home-AbCd1234.js");
  const small = await get("/assets/home-AbCd1234.js", { "Accept-Encoding": "gzip, br" });
  expect(small.headers.get("Content-Encoding")).toBe("br");
  expect(Number(small.headers.get("Content-Length"))).toBeLessThan(script.length / 5);
  expect(await small.text()).toBe(script);
  expect(small.headers.get("ETag")).not.toBe(plain.headers.get("ETag"));
  expect(small.headers.get("Vary")).toBe("Accept-Encoding");
  const media = await get("/film.mp4", { "Accept-Encoding": "gzip, br" });
  expect([media.headers.get("Content-Encoding"), media.headers.get("Vary")]).toEqual([null, null]);
});

test("If-None-Match with the current ETag gets 304", async () => {
  for (const encoding of ["identity", "br"]) {
    const tag = (await get("/assets/home-AbCd1234.js", { "Accept-Encoding": encoding })).headers.get("ETag");
    const again = await get("/assets/home-AbCd1234.js", {
      "Accept-Encoding": encoding,
      "If-None-Match": tag ?? "",
    });
    expect([again.status, again.headers.get("ETag"), await again.text()]).toEqual([304, tag, ""]);
  }
  expect((await get("/icon.svg", { "If-None-Match": '"other"' })).status).toBe(200);
});

describe("ranges", () => {
  test.each([
    ["/film.mp4", "a file read from disk"],
    ["/assets/home-AbCd1234.js", "a file held in memory"],
  ])("of %s, %s, get 206, or 416 past the end", async (path) => {
    const whole = Buffer.from(await (await get(path)).arrayBuffer());
    const part = await get(path, { Range: "bytes=10-19", "Accept-Encoding": "br" });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 10-19/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(10, 20));
    const past = await get(path, { Range: "bytes=9999999-" });
    expect([past.status, past.headers.get("Content-Range")]).toEqual([416, `bytes */${whole.length}`]);
    expect(past.headers.get("Cache-Control")).toBe("no-store");
    expect(await past.json()).toEqual({ error: "Range not satisfiable", status: 416 });
  });

  test("with If-Range of an old version get the whole file", async () => {
    const tag = (await get("/film.mp4", {}, "HEAD")).headers.get("ETag") ?? "";
    const status = async (condition: string) =>
      (await get("/film.mp4", { Range: "bytes=0-1", "If-Range": condition })).status;
    expect([await status(tag), await status('"old"')]).toEqual([206, 200]);
  });
});

test("a file in a shared folder may be embedded by other sites, and a file outside it may not", async () => {
  for (const [path, origin, policy] of [
    ["/film/1.vtt", "*", "cross-origin"],
    ["/icon.svg", null, null],
  ] as const) {
    const { headers } = await get(path, { Origin: "https://elsewhere.example" });
    expect(headers.get("Access-Control-Allow-Origin"), path).toBe(origin);
    expect(headers.get("Cross-Origin-Resource-Policy"), path).toBe(policy);
  }
});

test("HEAD gets the length and no body", async () => {
  const head = await get("/film.mp4", {}, "HEAD");
  expect([head.headers.get("Content-Length"), (await head.arrayBuffer()).byteLength]).toEqual([
    String(film.length),
    0,
  ]);
});

test.each([
  "/../secret.txt",
  "/..%2fsecret.txt",
  "/%2e%2e/secret.txt",
  "/assets/..%2f..%2fsecret.txt",
  "/assets/..\\..\\secret.txt",
  "/link.txt",
  "/linked/secret.txt",
  "/.env",
  "/.vite/manifest.json",
  "/assets/home-AbCd1234.js.br",
  "/assets/",
  "/assets",
  "//icon.svg",
])("%s is not served", async (path) => {
  const answer = await sendRaw(site.port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(statusesIn(answer)[0]).toBeGreaterThanOrEqual(400);
  expect(answer).not.toContain("secret\r\n");
});
