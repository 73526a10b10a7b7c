import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import type { WantedFile } from "#app/domain/playback/playback.server.ts";
import { signedPath } from "#app/paths.ts";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, isSignedByUs } from "#app/platform/process/secrets.server.ts";
import { hours, inSeconds } from "#app/platform/units.ts";

/**
 * A pass in a signed address replaces the session for players outside of the browser. It is for one profile and one
 * film, works on all instances, and ends after 12 hours or when the profile raises its generation.
 */

const validMs = hours(12);

type Signer = Pick<SessionUser, "id" | "filmGeneration">;

/** The signed address for another player. Paths that are not of films stay unchanged. */
export function signFilmPath(path: string, signer: Signer): string {
  const wanted = wantedAt(path);
  if (wanted === null) return path;
  const ends = inSeconds(Date.now() + validMs).toString(36);
  const claim = `${signer.id}.${signer.filmGeneration.toString(36)}.${ends}`;
  return signedPath(`${claim}.${signatureOf(claim, wanted, getSigningSecrets()[0])}`, path);
}

/** Null if this site did not make the pass for this film, or if the pass has expired. */
export function readPass(pass: string, wanted: WantedFile) {
  const [, claim = "", userId = "", generation = "", ends = "", signature = ""] =
    /^(([\da-f-]{36})\.([\da-z]{1,8})\.([\da-z]{1,10}))\.([\w-]{43})$/.exec(pass) ?? [];
  const isSigned = isSignedByUs(signature, (secret) => signatureOf(claim, wanted, secret));
  if (!isSigned || Number.parseInt(ends, 36) < inSeconds(Date.now())) return null;
  return { userId, generation: Number.parseInt(generation, 36) };
}

function wantedAt(path: string): WantedFile | null {
  const [, folder, name = ""] = /^\/(film|play|captions)\/([\da-f-]{36})(?=[/.]|$)/.exec(path) ?? [];
  if (folder === undefined) return null;
  return { kind: folder === "captions" ? "subtitles" : "film", name };
}

const signatureOf = (claim: string, { kind, name }: WantedFile, secret: string) =>
  keyedHash(secret, "film passes", JSON.stringify([claim, kind, name])).digest("base64url");
