import sharp from "sharp";
import { expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { db } from "#db/client.server.ts";
import { detailPictures, titleDetails } from "#db/schema/details.ts";
import { storedImages } from "#db/schema/images.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newMember } from "#tests/support/requests/visitor.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { request } from "#tests/support/site/in-process.ts";

/** Pages leave out a picture that could not be fetched, while the image proxy answers as before. */

const photo = await sharp({ create: { width: 1600, height: 400, channels: 3, background: "#2060c0" } })
  .jpeg()
  .toBuffer();
const statuses = new Map<string, number>();
const upstream = await startUpstream((received, response) => {
  const status = statuses.get(received.url ?? "") ?? 200;
  if (status === 0) return response.writeHead(200, { "content-type": "image/jpeg" }).end("<p>hi");
  return status === 200 ? response.end(photo) : response.writeHead(status).end("no");
});

const member = await newMember();
const htmlOf = async (malId: number) => (await member.request(`/anime/${malId}/title-${malId}`)).text();
const proxyOf = (path: string) => `/api/proxy?url=${encodeURIComponent(upstream.origin + path)}&w=1600`;

test.each([
  ["a picture that is gone", 404, 404],
  ["a server that fails", 503, 500],
  ["a page instead of a picture", 0, 400],
])("%s is named once, and again once it can be fetched", async (_name, upstreamStatus, status) => {
  const path = `/banner-${upstreamStatus}.jpg`;
  const malId = await someTitle({ bannerImage: upstream.origin + path });
  statuses.set(path, upstreamStatus);
  const named = encodeURIComponent(upstream.origin + path);
  expect(await htmlOf(malId)).toContain(named);
  expect((await request(proxyOf(path))).status).toBe(status);
  expect(await htmlOf(malId)).not.toContain(named);
  expect((await request(proxyOf(path))).status).toBe(status);
  statuses.set(path, 200);
  expect((await request(proxyOf(path))).status).toBe(200);
  expect(await htmlOf(malId)).toContain(named);
});

test("a server that asks for a delay does not lose its pictures", async () => {
  const path = "/banner-429.jpg";
  const malId = await someTitle({ bannerImage: upstream.origin + path });
  statuses.set(path, 429);
  await request(proxyOf(path));
  expect(await htmlOf(malId)).toContain(encodeURIComponent(upstream.origin + path));
});

test("the stored banner of the details replaces one that cannot be fetched, but none that was removed", async () => {
  const [path, url, cid] = ["/away.jpg", "https://details.invalid/b.png", "bafkstoredbanner"];
  const size = { bytes: 1, widthPx: 1, heightPx: 1 };
  await db.insert(storedImages).values({ cid, contentType: "image/webp", storage: "disk", ...size });
  await db.insert(detailPictures).values({ url, kind: "banner", cid });
  const [malId, without] = [
    await someTitle({ bannerImage: upstream.origin + path }),
    await someTitle({ bannerImage: null }),
  ];
  await changeCatalog([malId, without], async (transaction) => {
    for (const id of [malId, without])
      await transaction.insert(titleDetails).values({ malId: id, dueAt: new Date(), bannerUrl: url });
  });
  expect(await htmlOf(malId)).not.toContain(cid);
  statuses.set(path, 404);
  await request(proxyOf(path));
  expect(await htmlOf(malId)).toContain(`src="/ipfs/${cid}"`);
  expect(await htmlOf(without)).not.toContain(cid);
});
