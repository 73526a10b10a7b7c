import { networkOf } from "./client-block.ts";

export type ShareLimits = {
  total: number;
  /** How much one client (an address, or an IPv6 block) may hold. */
  perClient: number;
  /** How much all blocks of one IPv6 network may hold together. Never the whole. */
  perNetwork?: number;
};

/** For a share that other limits already bound. */
export const unlimitedShare = { total: Number.POSITIVE_INFINITY, perClient: Number.POSITIVE_INFINITY };

const shareOfNetwork = (total: number, perClient: number) =>
  Math.max(perClient, Math.min(4 * perClient, Math.floor(total * 0.75)));

/** Divides a limited resource among clients. One client can use up its own share, but not the shares of others. */
export function createFairShare({
  total,
  perClient,
  perNetwork = shareOfNetwork(total, perClient),
}: ShareLimits) {
  const heldBy = new Map<string, number>();
  let held = 0;

  const add = (key: string, amount: number) => {
    const left = (heldBy.get(key) ?? 0) + amount;
    // Clients come and go, so a key exists only while its client holds something.
    if (left > 0) heldBy.set(key, left);
    else heldBy.delete(key);
  };
  const has = (key: string, limit: number, amount: number) => (heldBy.get(key) ?? 0) + amount <= limit;

  /** False if the share of the client or of its network is used up. */
  function isWithinShare(block: string, amount = 1) {
    const network = networkOf(block);
    if (!has(block, perClient, amount)) return false;
    return network === block || has(network, perNetwork, amount);
  }
  const mayTake = (block: string, amount = 1) => held + amount <= total && isWithinShare(block, amount);

  return {
    mayTake,
    isWithinShare,
    /** How much an IPv4 address, an IPv6 block or an IPv6 network holds. */
    heldBy: (key: string) => heldBy.get(key) ?? 0,
    /**
     * Returns a function that gives the amount back. Null if the client's share or the whole is used up; the caller must
     * then refuse the client.
     */
    take(block: string, amount = 1): (() => void) | null {
      if (!mayTake(block, amount)) return null;
      const network = networkOf(block);
      const count = (sign: 1 | -1) => {
        held += sign * amount;
        add(block, sign * amount);
        if (network !== block) add(network, sign * amount);
      };
      count(1);
      let isGivenBack = false;
      return () => {
        if (!isGivenBack) count(-1);
        isGivenBack = true;
      };
    },
    held: () => held,
  };
}
