/** Recognises JSON that playlists point to: steering manifests and asset lists (RFC 8216bis, 7.2 and appendix D). */

export const urlListType = "application/json";

export const isJsonLabel = (named: string) =>
  /^(?:application|text)\/(?:json|vnd\.apple\.steering-list|[\w.-]+\+json)$/.test(named);

/** Whether JSON text begins like a steering manifest or an asset list. All other JSON is left unchanged. */
export const startsUrlList = (head: string) =>
  /^\s*\{/.test(head) &&
  /"(?:ASSETS|SKIP-CONTROL|TTL|RELOAD-URI|PATHWAY-PRIORITY|PATHWAY-CLONES)"\s*:/.test(head);
