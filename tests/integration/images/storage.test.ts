import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cidOf, parseCid } from "#app/domain/images/storage/cid.server.ts";
import { diskStorage } from "#app/domain/images/storage/disk.server.ts";
import { ipfsStorage } from "#app/domain/images/storage/ipfs.server.ts";
import { s3Storage } from "#app/domain/images/storage/s3.server.ts";
import type { Storage } from "#app/domain/images/storage/storage-interface.ts";
import { rawCid, startKubo } from "#tests/support/servers/kubo-server.ts";
import { signatureOf, startS3 } from "#tests/support/servers/s3-server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const hello = Buffer.from("hello world");
/** The CID that `ipfs block put` and every gateway give to these bytes. */
const helloCid = "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e";

describe("the CIDs of stored pictures", () => {
  test("are those that IPFS gives", () => {
    expect(cidOf(hello)).toBe(helloCid);
    expect(rawCid(hello)).toBe(helloCid);
    expect(cidOf(Buffer.alloc(0))).toBe("bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku");
  });

  test("are parsed in any base, and anything else is null", () => {
    expect(parseCid(helloCid)).toBe(helloCid);
    expect(parseCid("zb2rhj7crUKTQYRGCRATFaQ6YFLTde2YzdqbbhAASkL9uRDXn")).toMatch(/^bafkrei/);
    for (const other of [
      "",
      "x",
      "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKjG1n",
      `${helloCid}/a`,
      "../../etc/passwd",
    ])
      expect(parseCid(other)).toBeNull();
  });
});

/** The examples of AWS's description of Signature Version 4 for S3 ("GET Object", "PUT Object", "GET Bucket"). */
test("the stand-in signs as AWS's published examples do", () => {
  const keys = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const common = {
    host: "examplebucket.s3.amazonaws.com",
    "x-amz-date": "20130524T000000Z",
    "x-amz-content-sha256": empty,
  };
  expect(
    signatureOf(
      {
        method: "GET",
        path: "/test.txt",
        query: "",
        headers: { ...common, range: "bytes=0-9" },
        payloadHash: empty,
      },
      ["host", "range", "x-amz-content-sha256", "x-amz-date"],
      keys,
    ),
  ).toBe("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  const put = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072";
  expect(
    signatureOf(
      {
        method: "PUT",
        path: "/test%24file.text",
        query: "",
        headers: {
          ...common,
          "x-amz-content-sha256": put,
          date: "Fri, 24 May 2013 00:00:00 GMT",
          "x-amz-storage-class": "REDUCED_REDUNDANCY",
        },
        payloadHash: put,
      },
      ["date", "host", "x-amz-content-sha256", "x-amz-date", "x-amz-storage-class"],
      keys,
    ),
  ).toBe("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
  expect(
    signatureOf(
      { method: "GET", path: "/", query: "max-keys=2&prefix=J", headers: common, payloadHash: empty },
      ["host", "x-amz-content-sha256", "x-amz-date"],
      keys,
    ),
  ).toBe("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
});

async function listed(storage: Storage, time: number) {
  const found: string[] = [];
  for await (const cid of storage.listBefore(time)) found.push(cid);
  return found.sort();
}

const folder = temporaryFolder("storage");
const keys = { accessKeyId: "EXAMPLE", secretAccessKey: "example/secret+key", region: "eu-test-1" };
const s3 = await startS3("pictures", keys);
const kubo = await startKubo("let-me-in");

const kinds: [string, Storage][] = [
  ["disk", diskStorage(folder)],
  [
    "s3",
    s3Storage({ endpoint: `${s3.origin}/`, bucket: "pictures", publicUrl: "https://cdn.test/p/", ...keys }),
  ],
  ["ipfs", ipfsStorage({ api: kubo.origin, token: "let-me-in", gateway: "https://gateway.test" })],
];

describe.each(kinds)("%s storage", (kind, storage) => {
  const pictures = ["one", "two", "three", "four", "five"].map((text) => Buffer.from(text));
  const cids = pictures.map((picture) => cidOf(picture));

  test("returns what was put, and null for what was not", async () => {
    expect(await storage.get(helloCid)).toBeNull();
    await storage.put(helloCid, hello);
    await storage.put(helloCid, hello);
    expect((await storage.get(helloCid))?.toString()).toBe("hello world");
  });

  test("returns null after a removal, and a second removal is no error", async () => {
    await storage.remove(helloCid);
    expect(await storage.get(helloCid)).toBeNull();
    await storage.remove(helloCid);
  });

  test("lists what was put before a given time", async () => {
    await Promise.all(pictures.map((picture, at) => storage.put(cids[at] ?? "", picture)));
    expect(await listed(storage, Date.now() + 60_000)).toEqual(kind === "ipfs" ? [] : [...cids].sort());
    expect(await listed(storage, Date.now() - 60_000)).toEqual([]);
  });

  test("stores a picture that is put eight times at once", async () => {
    const big = Buffer.alloc(900_000, 7);
    await Promise.all(Array.from({ length: 8 }, () => storage.put(cidOf(big), big)));
    expect((await storage.get(cidOf(big)))?.equals(big)).toBe(true);
  });
});

test("a damaged picture on the disk is replaced when it is put again", async () => {
  const [, storage] = kinds[0]!;
  await storage.put(helloCid, hello);
  writeFileSync(join(folder, "images", helloCid.slice(-2), helloCid), "rotten");
  await storage.put(helloCid, hello);
  expect((await storage.get(helloCid))?.toString()).toBe("hello world");
});

test("after these tests, the disk holds no half-written file and S3 saw no bad signature", () => {
  expect(readdirSync(join(folder, "images")).filter((name) => name.includes("."))).toEqual([]);
  expect(s3.refused).toEqual([]);
  expect(s3.objects.get(`ipfs/${cidOf(Buffer.from("one"))}`)?.type).toBe("image/webp");
});

test("publicUrl is the storage's own URL of a picture, or null without one", () => {
  expect(kinds.map(([, storage]) => storage.publicUrl(helloCid))).toEqual([
    null,
    `https://cdn.test/p/ipfs/${helloCid}`,
    `https://gateway.test/ipfs/${helloCid}`,
  ]);
});

test("a storage that refuses the credentials is an error, not a missing picture", async () => {
  const wrongKey = s3Storage({
    endpoint: s3.origin,
    bucket: "pictures",
    publicUrl: undefined,
    ...keys,
    secretAccessKey: "wrong",
  });
  await expect(wrongKey.get(helloCid)).rejects.toThrow("403");
  await expect(wrongKey.put(helloCid, hello)).rejects.toThrow("403");
  expect(s3.refused).toEqual(["SignatureDoesNotMatch", "SignatureDoesNotMatch"]);
  const wrongToken = ipfsStorage({ api: kubo.origin, token: "no", gateway: undefined });
  await expect(wrongToken.get(helloCid)).rejects.toThrow("403");
  await expect(wrongToken.put(helloCid, hello)).rejects.toThrow("403");
  await expect(wrongToken.remove(helloCid)).rejects.toThrow("403");
});
