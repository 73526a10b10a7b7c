import { networkOf } from "./client-block.ts";
import { createFairShare, type ShareLimits } from "./fair-share.ts";

type Entry<Item> = { item: Item; giveBack(): void };

/**
 * A queue in which clients take turns. A client with one item waits for one item of each other client, not for
 * everything that another client has queued. Clients of the same network share its turns.
 */
export class FairQueue<Item> {
  /** Clients by network. Maps iterate in the order of insertion, so the first one has the next turn. */
  readonly #waiting = new Map<string, Map<string, Entry<Item>[]>>();
  readonly #places;

  /** How many items may wait, in total and per client. */
  constructor(limits: ShareLimits) {
    this.#places = createFairShare(limits);
  }

  get size() {
    return this.#places.held();
  }

  countOf(client: string): number {
    return this.#waiting.get(networkOf(client))?.get(client)?.length ?? 0;
  }

  /** Returns false if too many items wait; the caller must then refuse the client. */
  add(client: string, item: Item): boolean {
    const giveBack = this.#places.take(client);
    if (!giveBack) return false;
    const network = networkOf(client);
    const clients = this.#waiting.get(network) ?? new Map<string, Entry<Item>[]>();
    const entries = clients.get(client) ?? [];
    entries.push({ item, giveBack });
    clients.set(client, entries);
    this.#waiting.set(network, clients);
    return true;
  }

  /** How many items would come before an item that this client added now, if no other items are added. */
  placesBefore(client: string): number {
    const network = networkOf(client);
    const clients = this.#waiting.get(network) ?? new Map<string, Entry<Item>[]>();
    const turnsInNetwork = turnsBefore(lengthsOf(clients), client, this.countOf(client), true);
    return turnsBefore(this.#lengths(), network, turnsInNetwork, true);
  }

  /** How many items come before this one, if no other items are added. */
  placeOf(client: string, item: Item): number {
    const network = networkOf(client);
    const clients = this.#waiting.get(network);
    const index = clients?.get(client)?.findIndex((entry) => entry.item === item) ?? -1;
    if (!clients || index < 0) return 0;
    return turnsBefore(this.#lengths(), network, turnsBefore(lengthsOf(clients), client, index));
  }

  /**
   * Removes and returns the next item of the first client that may have a turn. That client moves to the end of the
   * queue.
   */
  next(mayHaveTurn: (client: string, item: Item) => boolean = () => true): Item | undefined {
    for (const [network, clients] of this.#waiting)
      for (const [client, entries] of clients) {
        const [entry] = entries;
        if (!entry || !mayHaveTurn(client, entry.item)) continue;
        entries.shift();
        clients.delete(client);
        if (entries.length > 0) clients.set(client, entries);
        this.#waiting.delete(network);
        if (clients.size > 0) this.#waiting.set(network, clients);
        entry.giveBack();
        return entry.item;
      }
    return undefined;
  }

  /** Removes an item whose caller no longer waits. */
  remove(client: string, item: Item): boolean {
    const network = networkOf(client);
    const clients = this.#waiting.get(network);
    const entries = clients?.get(client) ?? [];
    const at = entries.findIndex((entry) => entry.item === item);
    if (at < 0) return false;
    entries.splice(at, 1)[0]?.giveBack();
    if (entries.length === 0) clients?.delete(client);
    if (clients?.size === 0) this.#waiting.delete(network);
    return true;
  }

  *#lengths(): Iterable<[network: string, length: number]> {
    for (const [network, clients] of this.#waiting) {
      let length = 0;
      for (const [, own] of lengthsOf(clients)) length += own;
      yield [network, length];
    }
  }
}

const lengthsOf = (clients: Map<string, unknown[]>): Iterable<[client: string, length: number]> =>
  [...clients].map(([client, { length }]) => [client, length]);

/**
 * How many turns come before the next turn of `name` after its `own` ones. With `isNew`, that turn is not queued yet and
 * follows the corresponding turn of every other name.
 */
function turnsBefore(
  lengths: Iterable<[name: string, length: number]>,
  name: string,
  own: number,
  isNew = false,
) {
  let turns = own;
  let isBefore = true;
  for (const [other, length] of lengths) {
    if (other === name) isBefore = false;
    else turns += Math.min(length, own + (isBefore || isNew ? 1 : 0));
  }
  return turns;
}
