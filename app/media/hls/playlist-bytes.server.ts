import { isAscii, isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { utf16Of } from "../film/utf16-mark.ts";

/** Playlists must be UTF-8 without a byte order mark (RFC 8216bis, 4.1), but some servers send other encodings. */
export function playlistText(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  const utf16 = utf16Of(bytes);
  if (utf16) return new TextDecoder(utf16).decode(bytes);
  const text = isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** The ETag of a rewritten playlist, hashed from the inputs because they are much shorter than the result. */
export function playlistTag(original: Buffer, base: string, definitions: readonly string[]): string {
  const hash = createHash("sha256").update(original);
  for (const part of [base, ...definitions]) hash.update(`\0${part}`);
  return `"${hash.digest("base64url").slice(0, 22)}"`;
}
