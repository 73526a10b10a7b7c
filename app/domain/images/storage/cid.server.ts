import { createHash } from "node:crypto";
import { CID } from "multiformats/cid";
import * as Digest from "multiformats/hashes/digest";

/**
 * The name of a stored picture is the hash of its bytes as IPFS writes it (CIDv1, raw block, sha-256), so anyone
 * can check what they were given, and the same picture is stored once.
 */

const rawCodec = 0x55;
const sha256Code = 0x12;

export const cidOf = (bytes: Uint8Array): string =>
  CID.createV1(rawCodec, Digest.create(sha256Code, createHash("sha256").update(bytes).digest())).toString();

/** The one spelling we store under, or null when it names nothing that we could hold. */
export function parseCid(text: string): string | null {
  try {
    const cid = CID.parse(text);
    const isOurs = cid.version === 1 && cid.code === rawCodec && cid.multihash.code === sha256Code;
    return isOurs && cid.multihash.size === 32 ? cid.toV1().toString() : null;
  } catch {
    return null;
  }
}
