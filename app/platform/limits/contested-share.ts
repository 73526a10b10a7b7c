import { networkOf } from "./client-block.ts";
import { createFairShare, type ShareLimits } from "./fair-share.ts";

/** Something that holds a place for long, and can be ended for another client. */
type Holder = {
  /** False if ending it would free nothing any more. */
  canEnd(): boolean;
  end(): void;
};

type Held = { network: string; holder: Holder; giveBack(): void };

type Lease = {
  giveBack(): void;
  /** Call it when the holder is used: the one that was not used for the longest time ends first. */
  noteUse(): void;
};

/**
 * A fair share whose holders the clients keep for as long as they like. When everything is used up, a client that holds
 * less takes over from the client that holds the most. Without this, a few clients could keep everybody else out. Calls
 * `countRefusal` for each request that gets nothing, and for each holder that is ended.
 */
export function createContestedShare(limits: ShareLimits, countRefusal: () => void) {
  const share = createFairShare(limits);
  /** Ordered by last use; the most recent is last. */
  const holders = new Set<Held>();

  /** A holder of the network that holds the most, if that is more than `client` would hold. */
  function findExcess(client: string): Held | undefined {
    let most = share.heldBy(networkOf(client)) + 1;
    let found: Held | undefined;
    for (const held of holders) {
      const count = share.heldBy(held.network);
      if (count <= most || !held.holder.canEnd()) continue;
      most = count;
      found = held;
    }
    return found;
  }

  function makeRoom(client: string) {
    const excess = findExcess(client);
    if (!excess) return;
    countRefusal();
    excess.giveBack();
    excess.holder.end();
  }

  return {
    held: share.held,
    /** Null if the client's share is used up, or if everything is and no other client holds more. */
    take(client: string, holder: Holder): Lease | null {
      if (share.isWithinShare(client) && !share.mayTake(client)) makeRoom(client);
      const giveBackShare = share.take(client);
      if (!giveBackShare) {
        countRefusal();
        return null;
      }
      const giveBack = () => {
        holders.delete(held);
        giveBackShare();
      };
      const held: Held = { network: networkOf(client), holder, giveBack };
      holders.add(held);
      return {
        giveBack,
        noteUse() {
          if (holders.delete(held)) holders.add(held);
        },
      };
    },
  };
}
