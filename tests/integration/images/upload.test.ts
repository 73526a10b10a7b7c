import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { and, eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { deleteUnusedPictures, findStoredCid } from "#app/domain/images/images.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import type { Member } from "#tests/support/requests/visitor.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { base32 } from "#tests/support/servers/kubo-server.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

type Answer = { success?: boolean; data: string; error?: string };

const solidColor = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const base64Of = async (size: number, color: string) =>
  (await solidColor(size, size, color).png().toBuffer()).toString("base64");
const green = await solidColor(900, 600, "#10a040").png().toBuffer();
const upstream = await startUpstream((received, response) =>
  received.url === "/green.png" ? response.end(green) : response.writeHead(404).end(),
);

const member = await newMember();

async function upload(json: Record<string, unknown>, by: InstanceType<typeof Visitor> = member) {
  const response = await by.request("/api/uploadImage", { json: { filename: "me.png", ...json } });
  return { status: response.status, body: (await response.json()) as Answer };
}

const pathOf = (address: string) => new URL(address).pathname;
const fileOf = (address: string) => {
  const cid = pathOf(address).replace("/ipfs/", "");
  return join(env.DATA_DIR, "images", cid.slice(-2), cid);
};

async function storedAt(address: string) {
  const response = await request(pathOf(address));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

describe("POST /api/uploadImage", () => {
  test("base64 is stored as an avatar of at most 512 by 512, under the hash of its bytes", async () => {
    const { status, body } = await upload({ image: green.toString("base64") });
    expect([status, body.success]).toEqual([200, true]);
    expect(body.data).toMatch(new RegExp(`^${origin}/ipfs/bafkrei[a-z2-7]{52}$`));
    expect(await sharp(await storedAt(body.data)).metadata()).toMatchObject({
      format: "webp",
      width: 512,
      height: 512,
    });
  });

  test("a data: URL, a URL, our own URL and a form are accepted, and the same picture is stored once", async () => {
    const base64 = (await upload({ image: green.toString("base64") })).body.data;
    expect((await upload({ image: `data:image/png;base64,${green.toString("base64url")}` })).body.data).toBe(
      base64,
    );
    expect((await upload({ image: `${upstream.origin}/green.png` })).body.data).toBe(base64);
    const form = new FormData();
    form.set("isBanner", "false");
    form.set("image", new Blob([new Uint8Array(green)]), "x.png");
    const sent = await member.request("/api/uploadImage", { method: "POST", body: form });
    expect(((await sent.json()) as Answer).data).toBe(base64);
    expect((await upload({ image: base64 })).status).toBe(200);
  });

  test("a banner is 1080 by 300, and a smaller picture is not enlarged", async () => {
    const wide = await solidColor(2400, 1200, "#304050").jpeg().toBuffer();
    const banner = await upload({ image: wide.toString("base64"), isBanner: true });
    expect(await sharp(await storedAt(banner.body.data)).metadata()).toMatchObject({
      width: 1080,
      height: 300,
    });
    const small = await solidColor(540, 900, "#304050").jpeg().toBuffer();
    const narrow = await upload({ image: small.toString("base64"), isBanner: true });
    expect(await sharp(await storedAt(narrow.body.data)).metadata()).toMatchObject({
      width: 540,
      height: 150,
    });
    const tiny = await upload({
      image: (await solidColor(40, 30, "red").png().toBuffer()).toString("base64"),
    });
    expect(await sharp(await storedAt(tiny.body.data)).metadata()).toMatchObject({ width: 30, height: 30 });
  });

  test("an animated avatar keeps its frames, and a large one is reduced to 1 MiB", async () => {
    const size = 400;
    const frames = 10;
    const noise = Buffer.alloc(size * size * frames * 3);
    let state = 1;
    for (let at = 0; at < noise.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      noise[at] = state >>> 24;
    }
    const raw = { width: size, height: size * frames, channels: 3 as const, pageHeight: size };
    const moving = await sharp(noise, { raw }).webp({ lossless: true, effort: 0 }).toBuffer();
    const { body } = await upload({ image: moving.toString("base64") });
    const kept = await storedAt(body.data);
    expect(kept.length).toBeLessThanOrEqual(1024 * 1024);
    const calm = await sharp(
      Buffer.concat(Array.from({ length: 3 }, (_, frame) => Buffer.alloc(64 * 64 * 3, frame * 90))),
      {
        raw: { width: 64, height: 192, channels: 3, pageHeight: 64 },
      },
    )
      .gif({ delay: [100, 200, 300], loop: 0 })
      .toBuffer();
    const calmed = await upload({ image: calm.toString("base64") });
    expect(await sharp(await storedAt(calmed.body.data)).metadata()).toMatchObject({
      pages: 3,
      delay: [100, 200, 300],
    });
  });

  test.each([
    [{ image: "%%%" }, 400],
    [{ image: "" }, 400],
    [{ image: "A" }, 400],
    [{ image: "data:image/png;base64," }, 400],
    [{ image: 7 }, 400],
    [{}, 400],
    [{ image: Buffer.from("no image").toString("base64") }, 400],
    [{ image: "data:text/html,<p>" }, 400],
    [{ image: "http://10.0.0.1/x" }, 400],
    [{ image: `${upstream.origin}/gone` }, 400],
    [{ image: "AAAA", isBanner: "perhaps" }, 400],
    [{ image: "AAAA", filename: 3 }, 400],
    [{ image: "AAAA", filename: undefined }, 400],
  ])("%j gets %i", async (json, status) => expect((await upload(json)).status).toBe(status));

  test("a visitor gets 401, another type 415, another site 403 and another method 405", async () => {
    expect((await upload({ image: "AAAA" }, new Visitor())).status).toBe(401);
    const post = (headers: Record<string, string>) =>
      member.request("/api/uploadImage", { method: "POST", body: "x", headers });
    expect((await post({ "Content-Type": "text/plain" })).status).toBe(415);
    expect((await post({ "Content-Type": "application/json" })).status).toBe(400);
    expect((await post({ "Content-Type": "application/json", Origin: "https://evil.test" })).status).toBe(
      403,
    );
    expect((await member.request("/api/uploadImage")).status).toBe(405);
  });

  test("a streamed body of more than 64 MiB gets 413 before its end, in bounded memory", async () => {
    let sent = 0;
    const piece = new TextEncoder().encode("A".repeat(1024 * 1024));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"filename":"x","image":"')),
      pull(controller) {
        sent++;
        if (sent > 300) controller.close();
        else controller.enqueue(piece);
      },
    });
    const response = await member.request("/api/uploadImage", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json" },
      duplex: "half",
    } as RequestInit & { body: BodyInit });
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(80);
  });

  test("a picture of 12 MB gets 200", async () => {
    const pixels = Buffer.alloc(2000 * 2000 * 3);
    for (let at = 0; at < pixels.length; at += 3) pixels.writeUIntBE((at * 2654435761) % 0xffffff, at, 3);
    const large = await sharp(pixels, { raw: { width: 2000, height: 2000, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer();
    expect(large.length).toBeGreaterThan(11_900_000);
    expect((await upload({ image: large.toString("base64") })).status).toBe(200);
  });
});

describe("GET /ipfs/:cid", () => {
  test("a stored picture is cached for a year and sandboxed, and its CID is the hash of its bytes", async () => {
    const { data } = (await upload({ image: green.toString("base64") })).body;
    const response = await request(pathOf(data));
    const cid = pathOf(data).slice("/ipfs/".length);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      etag: `"${cid}"`,
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const digest = createHash("sha256").update(bytes).digest();
    // A CIDv1 of a raw block: version 1, codec 0x55, sha2-256, 32 bytes, in base32.
    const expected = Buffer.concat([Buffer.from([1, 0x55, 0x12, 32]), digest]);
    expect(cid).toBe(`b${base32(expected)}`);
    const raw = await request(`${pathOf(data)}?format=raw`);
    expect(raw.headers.get("content-type")).toBe("application/vnd.ipld.raw");
    expect(raw.headers.get("content-disposition")).toBe(`attachment; filename="${cid}.bin"`);
    expect(Buffer.from(await raw.arrayBuffer()).equals(bytes)).toBe(true);
    const notModified = await request(pathOf(data), { headers: { "If-None-Match": `"${cid}"` } });
    expect(notModified.status).toBe(304);
    expect(findStoredCid(data, origin)).toBe(cid);
    expect(findStoredCid(`https://elsewhere.test/ipfs/${cid}`, origin)).toBeNull();
  });

  test.each([
    "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e",
    "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKjG1n",
    "..%2f..%2fetc%2fpasswd",
    "x",
  ])("%s gets 404", async (name) => expect((await request(`/ipfs/${name}`)).status).toBe(404));

  test("an unknown format gets 400, and a picture whose file changed gets 404", async () => {
    const { data } = (await upload({ image: await base64Of(50, "#123456") })).body;
    expect((await request(`${pathOf(data)}?format=car`)).status).toBe(400);
    writeFileSync(fileOf(data), "rotten");
    expect((await request(pathOf(data))).status).toBe(404);
  });
});

describe("deleting unused pictures", () => {
  const uploaded = async (who: Member, color: string) =>
    (await upload({ image: await base64Of(33, color) }, who)).body.data;
  const leave = (who: Member) => db.delete(users).where(eq(users.id, who.id));

  test("a picture of two members is deleted with the last one", async () => {
    const [one, other] = [await newMember(), await newMember()];
    const image = await base64Of(70, "#aa5500");
    const { data } = (await upload({ image }, one)).body;
    expect((await upload({ image }, other)).body.data).toBe(data);
    await leave(one);
    await deleteUnusedPictures();
    expect((await storedAt(data)).length).toBeGreaterThan(0);
    await leave(other);
    expect(await deleteUnusedPictures()).toBe(1);
    expect(existsSync(fileOf(data))).toBe(false);
    expect((await request(pathOf(data))).status).toBe(404);
  });

  test("a file without a row is deleted after 30 days, and one with a row stays", async () => {
    const { data } = (await upload({ image: green.toString("base64") })).body;
    const orphanPath = fileOf(data).replace(/bafkrei..../, "bafkreiaaaa");
    writeFileSync(orphanPath, "x");
    await deleteUnusedPictures();
    expect(existsSync(orphanPath)).toBe(true);
    const setAge = (days: number) => {
      const at = new Date(Date.now() - days * 24 * 3600_000);
      for (const path of [orphanPath, fileOf(data)]) utimesSync(path, at, at);
    };
    setAge(29);
    await deleteUnusedPictures();
    expect(existsSync(orphanPath)).toBe(true);
    setAge(31);
    await deleteUnusedPictures();
    expect([existsSync(orphanPath), existsSync(fileOf(data))]).toEqual([false, true]);
  });

  test("no file is deleted while most have no row, as in the storage of another database", async () => {
    const { data } = (await upload({ image: green.toString("base64") })).body;
    const foreign = ["bafkreibbbb", "bafkreicccc"].map((start) => fileOf(data).replace(/bafkrei..../, start));
    const lastMonth = new Date(Date.now() - 31 * 24 * 3600_000);
    for (const path of foreign) writeFileSync(path, "x");
    for (const path of [...foreign, fileOf(data)]) utimesSync(path, lastMonth, lastMonth);
    await deleteUnusedPictures();
    expect(foreign.map((path) => existsSync(path))).toEqual([true, true]);
    rmSync(foreign[0]!);
    await deleteUnusedPictures();
    expect(foreign.map((path) => existsSync(path))).toEqual([false, false]);
  });

  test("an unused upload is deleted a day after it was last sent", async () => {
    const who = await newMember();
    const [forgotten, chosen] = [await uploaded(who, "#100001"), await uploaded(who, "#200002")];
    const repeated = await uploaded(who, "#300003");
    const save = await who.request("/api/saveImage", { json: chosen });
    expect(save.status).toBe(200);
    await db
      .update(imageUses)
      .set({ createdAt: new Date(Date.now() - 25 * 3600_000) })
      .where(eq(imageUses.userId, who.id));
    await uploaded(who, "#300003");
    await deleteUnusedPictures();
    const left = await Promise.all(
      [forgotten, chosen, repeated].map(async (url) => (await request(pathOf(url))).status),
    );
    expect(left).toEqual([404, 200, 200]);
    expect((await who.request("/api/saveImage", { json: forgotten })).status).toBe(400);
  });

  test("a picture sent while the same bytes are being deleted is stored", async () => {
    const who = await newMember();
    const image = await base64Of(29, "#445566");
    const { data } = (await upload({ image }, who)).body;
    for (let round = 0; round < 5; round++) {
      await db.delete(imageUses).where(eq(imageUses.userId, who.id));
      const [sent] = await Promise.all([
        upload({ image }, who),
        deleteUnusedPictures(),
        deleteUnusedPictures(),
      ]);
      expect(sent.status).toBe(200);
      expect((await storedAt(data)).length).toBeGreaterThan(0);
    }
  });

  const choose = async (who: Member, json: unknown) => (await who.request("/api/saveImage", { json })).status;
  const avatarsOf = async ({ id }: Member) =>
    (await db.select().from(imageUses).where(eq(imageUses.userId, id)))
      .filter(({ kind }) => kind === "avatar")
      .map(({ cid }) => cid);
  const cidOf = (address: string) => findStoredCid(address, origin) ?? "";
  const unknown = "/ipfs/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e";

  test("a stored picture can become an avatar after another, and an unknown one cannot", async () => {
    const who = await newMember();
    const [first, second] = [await uploaded(who, "#010203"), await uploaded(who, "#040506")];
    expect(await choose(who, first)).toBe(200);
    expect(await choose(who, second)).toBe(200);
    expect(await choose(who, unknown)).toBe(400);
    expect(await avatarsOf(who)).toEqual([cidOf(second)]);
  });

  test("when one picture is refused, the other one stays in use and is not deleted", async () => {
    const who = await newMember();
    const avatar = await uploaded(who, "#070809");
    expect(await choose(who, avatar)).toBe(200);
    expect(await choose(who, { avatar: null, banner_image: unknown })).toBe(400);
    await db.delete(imageUses).where(and(eq(imageUses.userId, who.id), eq(imageUses.kind, "upload")));
    await deleteUnusedPictures();
    expect((await storedAt(avatar)).length).toBeGreaterThan(0);
  });

  test("a picture stays in use until the profile is saved with another", async () => {
    const who = await newMember();
    const [first, second] = [await uploaded(who, "#0a0b0c"), await uploaded(who, "#0d0e0f")];
    expect(await choose(who, first)).toBe(200);
    const { choosing } = await withTransaction(async (transaction) => {
      await transaction.update(users).set({ name: "Another device" }).where(eq(users.id, who.id));
      const choosing = choose(who, second);
      await untilQueriesWait();
      expect(await avatarsOf(who)).toEqual([cidOf(first)]);
      return { choosing };
    });
    expect(await choosing).toBe(200);
    expect(await avatarsOf(who)).toEqual([cidOf(second)]);
  });
});

const longTransaction = { maxIdleMs: minutes(1) };
test("a picture whose use cannot be recorded leaves no new bytes behind", async () => {
  const who = await newMember();
  const listFiles = () =>
    readdirSync(join(env.DATA_DIR, "images"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  const picture = await base64Of(30, "#203040");
  const uploadInVain = () =>
    withTransaction(async (transaction) => {
      await transaction.select().from(users).where(eq(users.id, who.id)).for("update");
      expect((await upload({ image: picture }, who)).status).toBe(503);
    }, longTransaction);
  const before = listFiles();
  await uploadInVain();
  expect(listFiles()).toEqual(before);
  const { status, body } = await upload({ image: picture }, who);
  expect(status).toBe(200);
  // An older database that was restored has no row for these bytes, and they stay.
  const cid = findStoredCid(body.data, origin) ?? "";
  await db.delete(imageUses).where(eq(imageUses.cid, cid));
  await db.delete(storedImages).where(eq(storedImages.cid, cid));
  await uploadInVain();
  expect(listFiles()).toContain(cid);
});

test("a multipart form without an end or without a boundary gets 400", async () => {
  const member = await newMember();
  const part = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nPNG';
  for (const type of ["multipart/form-data; boundary=x", "multipart/form-data"]) {
    const headers = { "Content-Type": type };
    const response = await member.request("/api/uploadImage", { method: "POST", headers, body: part });
    expect(response.status).toBe(400);
  }
});

test("what the image proxy made of a stored picture stays when the catalog changes", async () => {
  const address = (await upload({ image: await base64Of(33, "#112233") })).body.data;
  const status = async (end = "") =>
    (await request(`/api/proxy?url=${encodeURIComponent(address)}&w=80${end}`)).status;
  expect(await status()).toBe(200);
  rmSync(fileOf(address));
  await changeCatalog([], async () => {});
  expect(await status("&x=1")).toBe(200);
});
