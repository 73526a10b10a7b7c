import { z } from "zod";
import { fetchLostPicture } from "#app/domain/details/details.server.ts";
import { findStoredPicture } from "#app/domain/images/images.server.ts";
import { immutable } from "#app/http/cache-policy.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { describedAs, oneOfWords } from "#app/http/endpoint/wire-schema.ts";
import { unlimited } from "#app/http/guards/rate-limit.server.ts";
import { logFailure } from "#app/http/log-failure.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { storedImagePath } from "#app/paths.ts";

export const middleware = [
  unlimited("A page shows dozens; stored pictures have the admission of upstream requests"),
];

/** IPFS trustless gateways serve raw blocks, so that clients can check the bytes against the CID. */
const rawType = "application/vnd.ipld.raw";

const stored = operation("GET", {
  tag: "Images",
  summary: "A stored picture, by the hash of its bytes",
  query: z.object({ format: describedAs(z.string(), oneOfWords(["raw"])).optional() }),
  sharing: asOwnMedia,
  admission: "upstream",
  answer: { bytes: ["image/webp", rawType] },
  tagged: true,
  headers: ["Content-Disposition", "X-Ipfs-Path"],
  refuses: ["not_found", "invalid"],
  async handle({ params, query, request, context }) {
    const wantsRaw = query.format === "raw" || request.headers.get("Accept")?.includes(rawType) === true;
    if (query.format !== undefined && query.format !== "raw") throw fail("invalid", "format: must be raw");
    const picture = await findStoredPicture(params.cid ?? "");
    if (!picture) {
      await fetchLostPicture(params.cid ?? "").catch((error: unknown) =>
        logFailure("could not look for a lost picture", error),
      );
      throw fail("not_found", "No such picture");
    }
    const { cid, bytes } = picture;
    const headers = new Headers({
      "Content-Type": wantsRaw ? rawType : "image/webp",
      "Content-Length": String(bytes.length),
      ETag: wantsRaw ? `"${cid}.raw"` : `"${cid}"`,
      "X-Ipfs-Path": storedImagePath(cid),
      ...(wantsRaw && { "Content-Disposition": `attachment; filename="${cid}.bin"` }),
      Vary: "Accept",
    });
    // The public cache does not look at Accept, so it would give a raw block to a browser that wants a picture.
    applyCachePolicy(headers, { ...immutable, cachedForMs: 0, isOfNoTitle: true }, context);
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  },
});

export const loader = serve(stored);
export const action = loader;
