import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";
import { SaxesParser } from "saxes";
import { days, inSeconds, seconds } from "#app/platform/units.ts";
import type { Storage } from "./storage-interface.ts";

type Settings = {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  publicUrl: string | undefined;
};

const timeoutMs = seconds(20);
const prefix = "ipfs/";

/** An S3-compatible service. Uses path-style URLs, because all such services support them. */
export function s3Storage({ endpoint, bucket, region, publicUrl, ...keys }: Settings): Storage {
  const client = new AwsClient({ ...keys, region, service: "s3", retries: 2 });
  const bucketUrl = `${endpoint.replace(/\/+$/, "")}/${bucket}`;
  const urlOf = (cid: string) => `${bucketUrl}/${prefix}${cid}`;

  async function send(method: string, url: string, body?: Buffer, headers: Record<string, string> = {}) {
    const response = await client.fetch(url, {
      method,
      headers: { ...headers, "X-Amz-Content-Sha256": sha256(body ?? "") },
      signal: AbortSignal.timeout(timeoutMs),
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
    if (response.ok || (response.status === 404 && method !== "PUT")) return response;
    await response.body?.cancel();
    throw new Error(`the storage answered ${response.status} to ${method}`);
  }

  async function put(cid: string, bytes: Buffer) {
    const response = await send("PUT", urlOf(cid), bytes, {
      "Content-Type": "image/webp",
      "Cache-Control": `public, max-age=${inSeconds(days(365))}, immutable`,
    });
    await response.body?.cancel();
  }

  async function get(cid: string) {
    const response = await send("GET", urlOf(cid));
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.status === 404 ? null : bytes;
  }

  async function remove(cid: string) {
    await (await send("DELETE", urlOf(cid))).body?.cancel();
  }

  async function* listBefore(beforeMs: number) {
    let token: string | undefined;
    do {
      const query = new URLSearchParams({ "list-type": "2", prefix });
      if (token) query.set("continuation-token", token);
      const page = readListing(await (await send("GET", `${bucketUrl}?${query}`)).text());
      for (const { key, modified } of page.entries) if (modified < beforeMs) yield key.slice(prefix.length);
      token = page.next;
    } while (token);
  }

  return {
    put,
    get,
    remove,
    listBefore,
    publicUrl: (cid) => (publicUrl ? `${publicUrl.replace(/\/+$/, "")}/${prefix}${cid}` : null),
  };
}

/** The hash is part of the signature, so the service rejects a body that was changed in transit. */
const sha256 = (body: Buffer | string) => createHash("sha256").update(body).digest("hex");

type Listing = { entries: { key: string; modified: number }[]; next: string | undefined };

/** Parses a ListObjectsV2 response. */
function readListing(xml: string): Listing {
  const listing: Listing = { entries: [], next: undefined };
  const parser = new SaxesParser();
  let text = "";
  let key = "";
  let modified = 0;
  parser.on("opentag", () => {
    text = "";
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "Key") key = text;
    else if (name === "LastModified") modified = Date.parse(text);
    else if (name === "Contents") listing.entries.push({ key, modified });
    else if (name === "NextContinuationToken") listing.next = text;
  });
  parser.write(xml).close();
  return listing;
}
