import { expect, test } from "vitest";
import { startS3 } from "#tests/support/servers/s3-server.ts";

/** An installation that stored its pictures in S3 earlier and stores them on disk now. */

const keys = { accessKeyId: "EXAMPLE", secretAccessKey: "example/secret+key", region: "eu-test-1" };
const s3 = await startS3("pictures", keys);
Object.assign(process.env, {
  STORAGE: "disk",
  S3_ENDPOINT: s3.origin,
  S3_BUCKET: "pictures",
  S3_REGION: keys.region,
  S3_ACCESS_KEY_ID: keys.accessKeyId,
  S3_SECRET_ACCESS_KEY: keys.secretAccessKey,
});
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { storedImages } = await import("#db/schema/images.ts");
const { restorePictureBytes, deleteUnusedPictures } = await import("#app/domain/images/images.server.ts");
const { cidOf } = await import("#app/domain/images/storage/cid.server.ts");
const { storageOf } = await import("#app/domain/images/storage/storage.server.ts");

const row = (text: string, storage: "disk" | "s3" | "ipfs") => {
  const bytes = Buffer.from(text);
  const size = { bytes: bytes.length, widthPx: 1, heightPx: 1 };
  return { cid: cidOf(bytes), contentType: "image/webp", storage, ...size };
};

test("a picture in the previous storage is still served, and is deleted when nothing uses it any more", async () => {
  const old = row("in the bucket", "s3");
  await storageOf("s3").put(old.cid, Buffer.from("in the bucket"));
  await db.insert(storedImages).values(old);
  const answer = await request(`/ipfs/${old.cid}?format=raw`);
  expect([answer.status, await answer.text()]).toEqual([200, "in the bucket"]);
  expect(await deleteUnusedPictures()).toBe(1);
  expect([s3.objects.size, (await request(`/ipfs/${old.cid}`)).status]).toEqual([0, 404]);
});

test("an unreachable storage does not stop the deletion of unused pictures in another storage", async () => {
  const unreachable = row("on a node we no longer know", "ipfs");
  const onDisk = row("on the disk", "disk");
  await db.insert(storedImages).values([unreachable, onDisk]);
  await restorePictureBytes(onDisk.cid, Buffer.from("on the disk"));
  expect(await deleteUnusedPictures()).toBe(1);
  expect((await db.select({ cid: storedImages.cid }).from(storedImages)).map(({ cid }) => cid)).toEqual([
    unreachable.cid,
  ]);
});
