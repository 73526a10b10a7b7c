import { log } from "#app/platform/log.server.ts";

/**
 * The account of the child processes. Pictures come from strangers: if the codecs ran as root, an error in one of them would
 * give away the machine.
 */
export type RendererAccount = { uid?: number; gid?: number };

/** The number of the account `nobody` on every Linux. */
const nobodyId = 65534;

let account: RendererAccount = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {};

export const rendererAccount = (): RendererAccount => account;

/** False if the child that could not start had no other account. */
export function decodeAsRoot({ uid }: RendererAccount): boolean {
  if (uid === undefined) return false;
  account = {};
  log.warnOnce(
    "render-account",
    `pictures are decoded as root, because uid ${nobodyId} cannot read or run the files of this site. Run the site under an account of its own, or let every account read its folder and Node`,
  );
  return true;
}
