import { log } from "#app/platform/log.server.ts";

/**
 * The account of the child processes. Pictures come from strangers, so the codecs must not run as root: a bug in one of
 * them would expose the machine.
 */
export type RendererAccount = { uid?: number; gid?: number };

/** The id of the account `nobody` on every Linux. */
const nobodyId = 65534;

let account: RendererAccount = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {};

export const rendererAccount = (): RendererAccount => account;

/**
 * Switches to decoding as root. Returns false if the child process that failed to start already used our own account.
 */
export function decodeAsRoot({ uid }: RendererAccount): boolean {
  if (uid === undefined) return false;
  account = {};
  log.warnOnce(
    "render-account",
    `pictures are decoded as root, because uid ${nobodyId} cannot read or run the files of this site. Run the site under an account of its own, or let every account read its folder and Node`,
  );
  return true;
}
