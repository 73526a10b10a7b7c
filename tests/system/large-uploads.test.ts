import { connect } from "node:net";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { residentMiB } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { signUpAt } from "#tests/support/site/two-instances.ts";

/** Uploads far over their limit, over a real connection to the running server: it cuts them off early and stays small. */

const whole = mebibytes(300);
const piece = Buffer.alloc(mebibytes(1), "A");

const site = await startSite({ RATE_LIMIT_POINTS: "1000000" });
const member = await signUpAt(site.origin, "uploader@example.org");

type Upload = { type: string; begin: string; isChunked?: boolean; stopAfter?: number };
type Sent = { answer: string; sentBytes: number; peakMiB: number };

/** Sends until everything is sent, the server closes the connection, or `stopAfter` bytes are sent. */
function send({ type, begin, isChunked = false, stopAfter = whole }: Upload): Promise<Sent> {
  const { port } = new URL(site.origin);
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${begin.length + whole}`;
  const framed = (bytes: Buffer) =>
    isChunked
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])
      : bytes;
  const result: Sent = { answer: "", sentBytes: 0, peakMiB: 0 };
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    const pump = () => {
      while (!socket.destroyed && socket.writable) {
        if (result.sentBytes >= stopAfter) return void socket.destroy();
        result.sentBytes += piece.length;
        result.peakMiB = Math.max(result.peakMiB, residentMiB(site));
        if (!socket.write(framed(piece))) return void socket.once("drain", pump);
      }
    };
    socket.setEncoding("latin1").on("data", (text) => {
      result.answer += text;
    });
    // A client that is cut off while it sends sees a reset after the answer.
    socket.on("error", () => {}).on("close", () => resolve(result));
    socket.write(
      `POST /api/uploadImage HTTP/1.1\r\nHost: ${new URL(site.origin).host}\r\nOrigin: ${site.origin}\r\nCookie: ${member.cookie}\r\nContent-Type: ${type}\r\n${length}\r\n\r\n`,
    );
    socket.write(framed(Buffer.from(begin)));
    pump();
  });
}

const json = { type: "application/json", begin: '{"filename":"x.png","image":"' };
const form = {
  type: "multipart/form-data; boundary=part",
  begin: '--part\r\nContent-Disposition: form-data; name="image"; filename="x.png"\r\n\r\n',
};

async function uploadGreen() {
  const green = await sharp({ create: { width: 90, height: 60, channels: 3, background: "#10a040" } })
    .png()
    .toBuffer();
  const body = { filename: "x.png", image: green.toString("base64") };
  return (await member.ask(`${site.origin}/api/uploadImage`, body)).status;
}

describe("an upload of 300 MB to /api/uploadImage", () => {
  test.each<[string, Upload, number]>([
    ["with a declared length", json, mebibytes(16)],
    ["in chunks", { ...json, isChunked: true }, mebibytes(96)],
    ["as a form", { ...form, isChunked: true }, mebibytes(96)],
  ])("%s gets 413 and is cut off early, and the process stays small", async (_name, upload, maxSent) => {
    const before = residentMiB(site);
    const { answer, sentBytes, peakMiB } = await send(upload);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"status":413');
    expect(sentBytes).toBeLessThanOrEqual(maxSent);
    expect(peakMiB - before).toBeLessThan(150);
  });

  test("twelve at once get 413 or 503, and the process stays within its memory", async () => {
    const before = residentMiB(site);
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, at) => send({ ...(at % 2 ? json : form), isChunked: true })),
    );
    for (const { answer } of sent) expect(answer).toMatch(/^HTTP\/1\.1 (413|503) /);
    expect(Math.max(...sent.map(({ peakMiB }) => peakMiB)) - before).toBeLessThan(450);
    expect(await uploadGreen()).toBe(200);
  });
});

test("uploads that clients abort give back their memory, so that the next upload succeeds", async () => {
  for (let round = 0; round < 3; round++)
    await Promise.all(
      Array.from({ length: 12 }, () => send({ ...json, isChunked: true, stopAfter: mebibytes(20) })),
    );
  await expect.poll(uploadGreen, { timeout: 10_000 }).toBe(200);
});
