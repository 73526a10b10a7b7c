import { createHash } from "node:crypto";
import { CID } from "multiformats/cid";
import * as Digest from "multiformats/hashes/digest";

/**
 * The name of a stored picture is the hash of its bytes in IPFS notation (CIDv1, raw block, sha-256). Identical
 * pictures are stored once, and clients can verify the bytes they receive.
 */

const rawCodec = 0x55;
const sha256Code = 0x12;

export const cidOf = (bytes: Uint8Array): string =>
  CID.createV1(rawCodec, Digest.create(sha256Code, createHash("sha256").update(bytes).digest())).toString();

/** Converts a CID to the spelling used in storage. Null if it is not the CID of a stored picture. */
export function parseCid(text: string): string | null {
  try {
    const cid = CID.parse(text);
    const isOurs = cid.version === 1 && cid.code === rawCodec && cid.multihash.code === sha256Code;
    return isOurs && cid.multihash.size === 32 ? cid.toV1().toString() : null;
  } catch {
    return null;
  }
}
