import { createFairShare } from "./fair-share.ts";

type Limits = Parameters<typeof createFairShare>[0];
type Entry<Item> = { item: Item; giveBack(): void };

/**
 * A queue in which clients take turns: somebody with one item waits for one item of each other client, and not for all
 * that somebody else has queued.
 */
export class FairQueue<Item> {
  /** A Map iterates in the order of insertion: the first client is the next one whose turn it is. */
  readonly #waiting = new Map<string, Entry<Item>[]>();
  readonly #places;

  /** How many items may wait, in all and for each client. */
  constructor(limits: Limits) {
    this.#places = createFairShare(limits);
  }

  get size() {
    return this.#places.held();
  }

  /** False: too many wait already, and the caller must refuse the client. */
  add(client: string, item: Item): boolean {
    const giveBack = this.#places.take(client);
    if (!giveBack) return false;
    const entries = this.#waiting.get(client);
    if (entries) entries.push({ item, giveBack });
    else this.#waiting.set(client, [{ item, giveBack }]);
    return true;
  }

  /** How many items come before one that this client would add now, if nobody else adds any. */
  placesBefore(client: string): number {
    const own = this.#waiting.get(client)?.length ?? 0;
    let places = own;
    for (const [other, { length }] of this.#waiting)
      if (other !== client) places += Math.min(length, own + 1);
    return places;
  }

  /** Takes out the next item, of the first client that may have a turn. Its client goes to the end of the line. */
  next(mayHaveTurn: (client: string) => boolean = () => true): Item | undefined {
    for (const [client, entries] of this.#waiting) {
      if (!mayHaveTurn(client)) continue;
      const entry = entries.shift();
      this.#waiting.delete(client);
      if (entries.length > 0) this.#waiting.set(client, entries);
      entry?.giveBack();
      return entry?.item;
    }
    return undefined;
  }

  /** Takes out an item that nobody waits for any more. */
  remove(client: string, item: Item): boolean {
    const entries = this.#waiting.get(client) ?? [];
    const at = entries.findIndex((entry) => entry.item === item);
    if (at < 0) return false;
    entries.splice(at, 1)[0]?.giveBack();
    if (entries.length === 0) this.#waiting.delete(client);
    return true;
  }
}
