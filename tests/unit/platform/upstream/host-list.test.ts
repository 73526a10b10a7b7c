import { expect, test, vi } from "vitest";
import { log } from "#app/platform/log.server.ts";
import { allowedHosts, cacheHosts } from "#app/platform/upstream/host-list.server.ts";

test.each([
  [
    "films.example.org",
    ["films.example.org", "films.example.org:8443"],
    ["x.films.example.org", "example.org"],
  ],
  [
    "*.example.org",
    ["a.example.org", "a.b.example.org"],
    ["example.org", "a.example.org.evil.test", "aexample.org"],
  ],
  ["cdn*.example.org", ["cdn1.example.org"], ["cdn.example.org", "xcdn1.example.org"]],
  ["films.example.org:8443", ["films.example.org:8443"], ["films.example.org"]],
  ["films.example.org:443", ["films.example.org"], ["films.example.org:80", "films.example.org:8443"]],
  ["films.example.org:80", ["films.example.org:80"], ["films.example.org"]],
  ["https://films.example.org/path", ["films.example.org"], []],
  ["bücher.example", ["xn--bcher-kva.example"], ["bucher.example"]],
  ["*", ["a", "a.b:1"], []],
  ["FILMS.example.org", ["films.example.org"], []],
  ["a.b", ["a.b"], ["axb"]],
])("%s matches only its hosts", (pattern, open, closed) => {
  const { isAllowedHost } = allowedHosts([pattern]);
  const isAllowed = (host: string) =>
    isAllowedHost(new URL(host.endsWith(":80") ? `http://${host}/` : `https://${host}/`), new Set());
  for (const host of open) expect(isAllowed(host), host).toBe(true);
  for (const host of closed) expect(isAllowed(host), host).toBe(false);
});

test("a registered host is allowed with and without the default port of its scheme, and after a change to https", async () => {
  const { isAllowedHost } = allowedHosts(["catalog"]);
  const registered = await cacheHosts(
    async () => ["http://media.example:80", "https://bücher.example:8443", "http://[", null],
    1000,
  )();
  const isAllowed = (url: string) => isAllowedHost(new URL(url), registered);
  expect(isAllowed("http://media.example:80/f.mp4")).toBe(true);
  expect(isAllowed("https://media.example/f.mp4")).toBe(true);
  expect(isAllowed("https://media.example:80/f.mp4")).toBe(false);
  expect(isAllowed("https://xn--bcher-kva.example:8443/")).toBe(true);
  expect(isAllowed("https://xn--bcher-kva.example/")).toBe(false);
});

test("while the database is silent, known hosts stay allowed, and with none known it is asked again only later", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const warned = vi.spyOn(log, "warn").mockReturnValue();
  let answer = (_: string[]) => {};
  const read = vi
    .fn<() => Promise<string[]>>()
    .mockRejectedValueOnce(new Error("silent"))
    .mockResolvedValueOnce(["https://a.example"])
    .mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const getHosts = cacheHosts(read, 10_000);
  expect([await getHosts(), await getHosts()]).toEqual([null, null]);
  expect(read).toHaveBeenCalledTimes(1);

  vi.advanceTimersByTime(5000);
  expect(await getHosts()).toEqual(new Set(["a.example"]));
  vi.advanceTimersByTime(10_000);
  expect(await getHosts()).toEqual(new Set(["a.example"]));
  expect(read).toHaveBeenCalledTimes(3);
  answer(["https://b.example"]);
  await expect.poll(getHosts).toEqual(new Set(["b.example"]));

  warned.mockRestore();
  vi.useRealTimers();
});
