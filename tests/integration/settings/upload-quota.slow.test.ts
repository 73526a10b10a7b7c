import { readdirSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

process.env.UPLOAD_QUOTA = "1";
const { newMember } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { imageUses, storedImages } = await import("#db/schema/images.ts");

const quotaBytes = 1024 * 1024;

/** Adds the row of a picture that fills the member's quota up to the last `leftBytes` bytes. */
async function fill(member: Member, leftBytes: number) {
  const cid = `bafkrei-fills-${member.id}`;
  const bytes = quotaBytes - leftBytes;
  await db
    .insert(storedImages)
    .values({ cid, contentType: "image/webp", bytes, widthPx: 1, heightPx: 1, storage: "disk" });
  await db.insert(imageUses).values({ cid, userId: member.id, kind: "upload" });
  return cid;
}

async function upload(by: Member, color: string) {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: color } });
  const image = (await picture.png().toBuffer()).toString("base64");
  const response = await whenFree(() =>
    by.request("/api/uploadImage", { json: { image, filename: "me.png" } }),
  );
  return { status: response.status, body: (await response.json()) as { error?: string; data?: string } };
}

const filesOnDisk = () =>
  readdirSync(join(process.env.DATA_DIR ?? "", "images"), { recursive: true }).filter((name) =>
    String(name).includes("bafkrei"),
  ).length;
const usesOf = (member: Member) =>
  db
    .select({ bytes: storedImages.bytes })
    .from(imageUses)
    .innerJoin(storedImages, eq(storedImages.cid, imageUses.cid))
    .where(eq(imageUses.userId, member.id));

test("an upload over the account's quota gets 413 with a message and stores nothing; other accounts may upload", async () => {
  const [member, other] = [await newMember(), await newMember()];
  expect((await upload(member, "#000001")).status).toBe(200);
  await fill(member, 0);
  const before = filesOnDisk();
  const refused = await upload(member, "#000002");
  expect(refused.status).toBe(413);
  expect(refused.body.error).toContain("larger than 1 MB together");
  expect(filesOnDisk()).toBe(before);
  expect((await upload(other, "#000002")).status).toBe(200);
});

test("simultaneous uploads cannot exceed the quota together, and a refused upload leaves no file", async () => {
  const member = await newMember();
  const { body } = await upload(member, "#000100");
  const cid = new URL(body.data ?? "").pathname.split("/").at(-1) ?? "";
  const [row] = await db.select().from(storedImages).where(eq(storedImages.cid, cid));
  const oneBytes = row?.bytes ?? 0;
  // Leaves room for the first picture and two more of about the same size.
  await fill(member, oneBytes * 3 + 20);
  const [usesBefore, filesBefore] = [(await usesOf(member)).length, filesOnDisk()];
  const sent = await Promise.all(
    ["#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff", "#ffffff", "#808080"].map((color) =>
      upload(member, color),
    ),
  );
  const storedCount = sent.filter(({ status }) => status === 200).length;
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200, 413]));
  const uses = await usesOf(member);
  expect(uses.length - usesBefore).toBe(storedCount);
  expect(uses.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(quotaBytes);
  expect(filesOnDisk() - filesBefore).toBe(storedCount);
});

test("a picture that two accounts upload counts for one of them, so two accounts cannot store more than two quotas", async () => {
  const [one, other] = [await newMember(), await newMember()];
  const [low, high] = one.id < other.id ? [one, other] : [other, one];
  const cid = await fill(high, 0);
  expect((await upload(high, "#000300")).status).toBe(413);
  await db.insert(imageUses).values({ cid, userId: low.id, kind: "upload" });
  expect((await upload(high, "#000300")).status).toBe(200);
  expect((await upload(low, "#000301")).status).toBe(413);
});
