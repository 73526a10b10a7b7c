import { expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

const upstream = await startUpstream((_request, response) =>
  response.end('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
);
process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.IMAGE_PROXY_SIGNING_SECRET = "a secret of more than thirty-two characters";
const { request, origin } = await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { proxiedPictureUrl } = await import("#app/domain/images/images.server.ts");

test("with IMAGE_PROXY_SIGNING_SECRET, URLs on pages get 200, in any width, and unsigned and changed ones get 400", async () => {
  const shown = proxiedPictureUrl(`${upstream.origin}/a.svg`, 9) ?? "";
  expect((await request(shown)).status).toBe(200);
  expect((await request(shown.replace("w=9", "w=5"))).status).toBe(200);
  for (const changed of [shown.replace(/&sig=.*/, ""), shown.replace("a.svg", "b.svg"), `${shown}x`]) {
    const refused = await request(changed);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { error: "This address is not signed by this service (IMAGE_PROXY_SIGNING_SECRET)", status: 400 },
    ]);
  }
});

test("with IMAGE_PROXY_SIGNING_SECRET, posters and the site's own pictures get 200, and the title page signs its banner", async () => {
  const picture = `${upstream.origin}/banner.svg`;
  await importTitles([
    { mal_id: 1, title: "A", images: { jpg: { image_url: picture } }, banner_image: picture },
  ]);
  expect((await request("/poster/1.webp?w=80")).status).toBe(200);
  const own = encodeURIComponent(`${origin}/poster/1.webp?w=80`);
  expect((await request(`/api/proxy?w=9&url=${own}`)).status).toBe(200);
  const page = await (await request("/anime/1")).text();
  const banner = /\/api\/proxy\?url=[^"')\s]*sig=[\w-]{22}/.exec(page)?.[0].replaceAll("&amp;", "&") ?? "";
  expect((await request(banner)).status).toBe(200);
});
