import { createHash } from "node:crypto";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** The RPC of a Kubo node, as strict as the real one about POST, the token, the parameters and multipart bodies. */
export async function startKubo(token: string) {
  const blocks = new Map<string, Buffer>();
  const pins = new Set<string>();
  const upstream = await startUpstream(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const fail = (Message: string) =>
      response
        .writeHead(500, { "content-type": "application/json" })
        .end(JSON.stringify({ Message, Code: 0, Type: "error" }));
    if (request.method !== "POST") return response.writeHead(405).end();
    if (request.headers.authorization !== `Bearer ${token}`)
      return response.writeHead(403).end("403 Forbidden");
    const cid = searchParams.get("arg") ?? "";
    switch (pathname) {
      case "/api/v0/block/put": {
        if (searchParams.get("cid-codec") !== "raw" || searchParams.get("mhtype") !== "sha2-256")
          return fail("bad codec");
        const form = await new Request("http://x", {
          method: "POST",
          headers: { "content-type": request.headers["content-type"] ?? "" },
          body: request as unknown as BodyInit,
          duplex: "half",
        } as RequestInit).formData();
        const file = form.get("data");
        if (!(file instanceof Blob)) return fail("file argument 'data' is required");
        const bytes = Buffer.from(await file.arrayBuffer());
        const key = rawCid(bytes);
        blocks.set(key, bytes);
        if (searchParams.get("pin") === "true") pins.add(key);
        return response.end(JSON.stringify({ Key: key, Size: bytes.length }));
      }
      case "/api/v0/block/get": {
        const bytes = blocks.get(cid);
        return bytes
          ? response.end(bytes)
          : fail(`block was not found locally (offline): ipld: could not find ${cid}`);
      }
      case "/api/v0/pin/rm":
        return pins.delete(cid)
          ? response.end(JSON.stringify({ Pins: [cid] }))
          : fail("not pinned or pinned indirectly");
      case "/api/v0/block/rm":
        if (pins.has(cid)) return fail("pinned: recursive");
        blocks.delete(cid);
        return response.end(JSON.stringify({ Hash: cid }));
      default:
        return response.writeHead(404).end("404 page not found");
    }
  });
  return { ...upstream, blocks, pins };
}

/** CIDv1 of raw bytes with sha2-256, in lower-case base32, computed without the library that the site uses. */
export function rawCid(bytes: Buffer): string {
  const digest = createHash("sha256").update(bytes).digest();
  return `b${base32(Buffer.concat([Buffer.from([1, 0x55, 0x12, 32]), digest]))}`;
}

export function base32(bytes: Buffer): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}
