import { z } from "zod";
import { findStoredPicture } from "#app/domain/images/images.server.ts";
import { applyCachePolicy, immutable } from "#app/http/cache-policy.server.ts";
import { answerNotesContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/error-response.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";

/** A trustless gateway gives a block as it is, so that the client can check it against its name. */
const rawType = "application/vnd.ipld.raw";

const stored = operation("GET", {
  tag: "Images",
  summary: "A stored picture, by the hash of its bytes",
  query: z.object({ format: z.string().optional() }),
  answer: { bytes: ["image/webp", rawType] },
  refuses: ["not_found", "invalid"],
  async handle({ params, query, request, context }) {
    const wantsRaw = query.format === "raw" || request.headers.get("Accept")?.includes(rawType) === true;
    if (query.format !== undefined && query.format !== "raw") throw fail("invalid", "format: must be raw");
    const found = await findStoredPicture(params.cid ?? "");
    if (!found) throw fail("not_found", "No such picture");
    const { cid, bytes } = found;
    const headers = new Headers({
      "Content-Type": wantsRaw ? rawType : "image/webp",
      "Content-Length": String(bytes.length),
      ETag: wantsRaw ? `"${cid}.raw"` : `"${cid}"`,
      "X-Ipfs-Path": `/ipfs/${cid}`,
      ...(wantsRaw && { "Content-Disposition": `attachment; filename="${cid}.bin"` }),
      Vary: "Accept",
    });
    applyCachePolicy(headers, immutable, context);
    // The same for everybody, but for their Accept, which our own cache does not look at.
    Object.assign(context.get(answerNotesContext), { isPublic: true, keptForMs: 0 });
    return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
  },
});

export const loader = serve(stored);
export const action = loader;
