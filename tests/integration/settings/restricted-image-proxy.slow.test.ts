import { describe, expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** An operator restricts the image proxy to some hosts. Pictures on the site's own pages still load. */

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>';
const serve = () =>
  startUpstream(({ url }, response) =>
    url === "/away.svg"
      ? response.writeHead(302, { location: `${unlisted.origin}/a.svg` }).end()
      : response.end(picture),
  );
const [listed, ofCatalog, unlisted] = await Promise.all([serve(), serve(), serve()]);

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.IMAGE_PROXY_ALLOWED_HOSTS = `catalog, 127.0.0.1:${listed.port}`;
const { request } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { proxiedPictureUrl } = await import("#app/domain/images/images.server.ts");
const proxy = (url: string) => request(`/api/proxy?w=9&url=${encodeURIComponent(url)}`);

describe("IMAGE_PROXY_ALLOWED_HOSTS", () => {
  test("a named host and, with `catalog`, the host of a title's picture get 200", async () => {
    await importTitles([
      { mal_id: 1, title: "A", images: { jpg: { image_url: `${ofCatalog.origin}/a.svg` } } },
    ]);
    expect((await proxy(`${listed.origin}/a.svg`)).status).toBe(200);
    expect((await proxy(`${ofCatalog.origin}/a.svg`)).status).toBe(200);
    expect((await request("/poster/1.webp?w=80")).status).toBe(200);
  });

  test("another host gets 400 without a connection, also after a redirect", async () => {
    for (const url of [`${unlisted.origin}/a.svg`, `${listed.origin}/away.svg`]) {
      const refused = await proxy(url);
      expect([refused.status, await refused.json()]).toEqual([
        400,
        { error: expect.stringContaining("IMAGE_PROXY_ALLOWED_HOSTS"), status: 400 },
      ]);
    }
    expect(unlisted.connections).toBe(0);
  });

  test("a picture of another host on a page of this site gets 200, and its signature works for no other URL", async () => {
    const shown = proxiedPictureUrl(`${unlisted.origin}/b.svg`, 9) ?? "";
    expect((await request(shown)).status).toBe(200);
    expect((await request(shown.replace("b.svg", "c.svg"))).status).toBe(400);
  });
});
