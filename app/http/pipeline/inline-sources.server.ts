import { createHash } from "node:crypto";

/** Which inline scripts and styles of a document its policy allows. */

/** Source expressions of a Content-Security-Policy. */
export type InlineSources = { scripts: string; styles: string };

export const sourcesByNonce = (nonce: string): InlineSources => ({
  scripts: `'nonce-${nonce}'`,
  styles: `'nonce-${nonce}'`,
});

const ownElements = (nonce: string) =>
  new RegExp(`<(script|style)([^>]*) nonce="${nonce}"([^>]*)>([\\s\\S]*?)</\\1>`, "g");

/**
 * A page cached for many visitors cannot contain a nonce. Removes the nonce and returns the hashes of the elements that
 * had it. The policy refuses every other inline element as before.
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
