import { createHash } from "node:crypto";

/** Which scripts and styles within a document its policy lets the browser use. */

/** Source expressions of a Content-Security-Policy. */
export type InlineSources = { scripts: string; styles: string };

export const sourcesByNonce = (nonce: string): InlineSources => ({
  scripts: `'nonce-${nonce}'`,
  styles: `'nonce-${nonce}'`,
});

const ownElements = (nonce: string) =>
  new RegExp(`<(script|style)([^>]*) nonce="${nonce}"([^>]*)>([\\s\\S]*?)</\\1>`, "g");

/**
 * A page that many get cannot hold a nonce. Takes it out, and lists the hashes of what had it: anything else within the
 * document is refused by the policy as before.
 */
export function withoutNonce(html: Buffer, nonce: string): { bytes: Buffer; inline: InlineSources } {
  const text = html.toString();
  const hashes: Record<string, Set<string>> = { script: new Set(), style: new Set() };
  for (const [, name = "", before = "", after = "", content = ""] of text.matchAll(ownElements(nonce)))
    if (!/ src=/.test(before + after))
      hashes[name]?.add(`'sha256-${createHash("sha256").update(content).digest("base64")}'`);
  return {
    bytes: Buffer.from(text.replaceAll(` nonce="${nonce}"`, "")),
    inline: { scripts: [...(hashes.script ?? [])].join(" "), styles: [...(hashes.style ?? [])].join(" ") },
  };
}
