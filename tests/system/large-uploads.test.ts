import { describe, expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { formUpload, jsonUpload, type Upload, upload } from "#tests/support/requests/endless-upload.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Uploads far over their limit, over a real connection to the running server, which cuts them off early. */

const site = await startSite({ RATE_LIMIT_POINTS: "1000000" });
const member = await signUpAt(site.origin, "uploader@example.org");
const send = (sent: Upload) => upload({ origin: site.origin, cookie: member.cookie }, sent);

async function uploadGreen() {
  const green = await plainPng(90, 60, "#10a040");
  const body = { filename: "x.png", image: green.toString("base64") };
  return (await member.ask(`${site.origin}/api/uploadImage`, body)).status;
}

describe("an upload of 300 MB to /api/uploadImage", () => {
  test.each<[string, Upload, number]>([
    ["with a declared length", jsonUpload, mebibytes(16)],
    ["in chunks", { ...jsonUpload, isChunked: true }, mebibytes(96)],
    ["as a form", { ...formUpload, isChunked: true }, mebibytes(96)],
  ])("%s gets 413 and is cut off early", async (_name, sent, maxSent) => {
    const { answer, sentBytes } = await send(sent);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"status":413');
    expect(sentBytes).toBeLessThanOrEqual(maxSent);
  });

  test("twelve at once get 413 or 503, and a picture after them is taken", async () => {
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, at) => send({ ...(at % 2 ? jsonUpload : formUpload), isChunked: true })),
    );
    for (const { answer } of sent) expect(answer).toMatch(/^HTTP\/1\.1 (413|503) /);
    // The site frees the places of these uploads a moment after their clients have left.
    await expect.poll(uploadGreen).toBe(200);
  });
});

test("uploads that clients abort give back their memory, so that the next upload succeeds", async () => {
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 12 }, () => send({ ...jsonUpload, isChunked: true, stopAfter: mebibytes(20) })),
    );
  await expect.poll(uploadGreen).toBe(200);
});
