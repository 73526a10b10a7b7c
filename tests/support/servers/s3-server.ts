import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/**
 * An S3 service that trusts no request: it computes the signature (Signature Version 4) and the payload hash itself and
 * compares them. It lists two keys on a page, so that clients must follow the pages.
 */

type Keys = { accessKeyId: string; secretAccessKey: string; region: string };

type Signed = {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  payloadHash: string;
};

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** The signature, computed as AWS documents Signature Version 4. */
export function signatureOf(
  { method, path, query, headers, payloadHash }: Signed,
  signedHeaders: string[],
  keys: Keys,
) {
  const parameters = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join("&");
  const lines = signedHeaders
    .map((name) => `${name}:${(headers[name] ?? "").trim().replace(/\s+/g, " ")}\n`)
    .join("");
  const canonical = [method, path, parameters, lines, signedHeaders.join(";"), payloadHash].join("\n");
  const timestamp = headers["x-amz-date"] ?? "";
  const scope = `${timestamp.slice(0, 8)}/${keys.region}/s3/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", timestamp, scope, sha256(canonical)].join("\n");
  const key = [keys.region, "s3", "aws4_request"].reduce(
    (made, part) => hmac(made, part),
    hmac(`AWS4${keys.secretAccessKey}`, timestamp.slice(0, 8)),
  );
  return createHmac("sha256", key).update(toSign).digest("hex");
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function findErrorCode(request: IncomingMessage, body: Buffer, keys: Keys): string | null {
  const { pathname, search } = new URL(request.url ?? "/", "http://x");
  const authorization = request.headers.authorization ?? "";
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    );
  if (!parts) return "AuthorizationHeaderMalformed";
  const [, accessKeyId, day, region, names = "", signature] = parts;
  if (accessKeyId !== keys.accessKeyId) return "InvalidAccessKeyId";
  const headers = request.headers as Record<string, string>;
  const signedHeaders = names.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => signedHeaders.includes(name)))
    return "SignatureDoesNotMatch";
  if (region !== keys.region || !headers["x-amz-date"]?.startsWith(day ?? "-"))
    return "AuthorizationHeaderMalformed";
  if (headers["x-amz-content-sha256"] !== sha256(body)) return "XAmzContentSHA256Mismatch";
  const signed = {
    method: request.method ?? "",
    path: pathname,
    query: search,
    headers,
    payloadHash: sha256(body),
  };
  return signatureOf(signed, signedHeaders, keys) === signature ? null : "SignatureDoesNotMatch";
}

export async function startS3(bucket: string, keys: Keys) {
  const objects = new Map<string, { body: Buffer; modified: Date; type: string | undefined }>();
  const refused: string[] = [];
  const upstream = await startUpstream(async (request, response) => {
    const body = await buffer(request);
    const errorCode = findErrorCode(request, body, keys);
    const url = new URL(request.url ?? "/", "http://x");
    const key = url.pathname.startsWith(`/${bucket}/`) ? url.pathname.slice(bucket.length + 2) : null;
    if (errorCode) {
      refused.push(errorCode);
      return response
        .writeHead(403, { "content-type": "application/xml" })
        .end(`<Error><Code>${errorCode}</Code></Error>`);
    }
    if (url.pathname === `/${bucket}` && url.searchParams.get("list-type") === "2") {
      const names = [...objects.keys()]
        .filter((name) => name.startsWith(url.searchParams.get("prefix") ?? ""))
        .sort();
      const start = Number(url.searchParams.get("continuation-token") ?? 0);
      const contents = names
        .slice(start, start + 2)
        .map(
          (name) =>
            `<Contents><Key>${name}</Key><LastModified>${objects.get(name)?.modified.toISOString()}</LastModified></Contents>`,
        );
      const next =
        start + 2 < names.length ? `<NextContinuationToken>${start + 2}</NextContinuationToken>` : "";
      return response.end(
        `<?xml version="1.0"?><ListBucketResult>${contents.join("")}${next}</ListBucketResult>`,
      );
    }
    if (key === null) return response.writeHead(404).end("<Error><Code>NoSuchBucket</Code></Error>");
    if (request.method === "PUT") {
      objects.set(key, { body, modified: new Date(), type: request.headers["content-type"] });
      return response.end();
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return response.writeHead(204).end();
    }
    const found = objects.get(key);
    return found
      ? response.end(found.body)
      : response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
  });
  return { ...upstream, objects, refused };
}
