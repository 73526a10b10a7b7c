import { expect, test } from "vitest";
import { startS3 } from "#tests/support/servers/s3-server.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** An installation that stored its pictures in S3 and on an IPFS node earlier and stores them on disk now. */

const keys = { accessKeyId: "EXAMPLE", secretAccessKey: "example/secret+key", region: "eu-test-1" };
const s3 = await startS3("pictures", keys);
/** Has no picture, and refuses to delete any. */
const brokenNode = await startUpstream(({ url = "" }, response) =>
  url.startsWith("/api/v0/block/get")
    ? response.writeHead(500).end(JSON.stringify({ Message: "block was not found" }))
    : response.writeHead(403).end(),
);
Object.assign(process.env, {
  STORAGE: "disk",
  S3_ENDPOINT: s3.origin,
  S3_BUCKET: "pictures",
  S3_REGION: keys.region,
  S3_ACCESS_KEY_ID: keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
  IPFS_API_URL: brokenNode.origin,
});
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { storedImages } = await import("#db/schema/images.ts");
const { runOnOneInstance } = await import("#db/one-instance.server.ts");
const { restorePictureBytes, deleteUnusedPictures, deleteUnusedPicturesOnce } = await import(
  "#app/domain/images/images.server.ts"
);
const { cidOf } = await import("#app/domain/images/storage/cid.server.ts");
const { storageOf } = await import("#app/domain/images/storage/storage.server.ts");

const row = (text: string, storage: "disk" | "s3" | "ipfs") => {
  const bytes = Buffer.from(text);
  const size = { bytes: bytes.length, widthPx: 1, heightPx: 1 };
  return { cid: cidOf(bytes), contentType: "image/webp", storage, ...size };
};

const listCids = async () =>
  (await db.select({ cid: storedImages.cid }).from(storedImages)).map(({ cid }) => cid);

test("a picture in the previous storage is still served, and is deleted when nothing uses it any more", async () => {
  const old = row("in the bucket", "s3");
  await storageOf("s3").put(old.cid, Buffer.from("in the bucket"));
  await db.insert(storedImages).values(old);
  const answer = await request(`/ipfs/${old.cid}?format=raw`);
  expect([answer.status, await answer.text()]).toEqual([200, "in the bucket"]);
  expect(await deleteUnusedPictures()).toBe(1);
  expect([s3.objects.size, (await request(`/ipfs/${old.cid}`)).status]).toEqual([0, 404]);
});

test("a storage that fails is asked once in a run, and does not stop the deletion in another storage", async () => {
  const onNode = ["one", "two", "three"].map((text) => row(`${text} on the node`, "ipfs"));
  const onDisk = row("on the disk", "disk");
  await db.insert(storedImages).values([...onNode, onDisk]);
  await restorePictureBytes(onDisk.cid, Buffer.from("on the disk"));
  brokenNode.requests = [];
  expect(await deleteUnusedPictures()).toBe(1);
  expect(brokenNode.requests).toEqual([expect.stringMatching("^POST /api/v0/pin/rm")]);
  expect((await listCids()).sort()).toEqual(onNode.map(({ cid }) => cid).sort());
});

test("nothing is deleted a second time beside a run on any instance", async () => {
  const unused = row("unused on the disk", "disk");
  await db.insert(storedImages).values(unused);
  await runOnOneInstance("deletion of unused pictures", async () => {
    await deleteUnusedPicturesOnce();
    expect(await listCids()).toContain(unused.cid);
  });
  await deleteUnusedPicturesOnce();
  expect(await listCids()).not.toContain(unused.cid);
});
