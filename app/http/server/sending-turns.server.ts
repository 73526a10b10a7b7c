import { networkOf } from "#app/platform/limits/client-block.ts";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { unlimitedShare } from "#app/platform/limits/fair-share.ts";

/** Each open answer waits for one turn at most. One whose client has gone stays until its turn, in which it sends nothing. */
const waiting = new FairQueue<() => void>(unlimitedShare);
/** The networks of which an answer has sent in this turn. Empty if the next turn is not scheduled. */
const served = new Set<string>();
let turn = 0;

/**
 * Returns the function with which a streamed answer sends on after its socket was full. In one turn of the event loop, one answer of
 * each network sends, and the others wait. A system takes megabytes of each answer before its client reads, so a client
 * that opens a hundred files would otherwise fill each turn with their pieces.
 */
export function createSendingTurns(client: string): (send: () => void) => void {
  let lastTurn: number | undefined;
  return (send) => {
    // Many pieces from another server can arrive in one turn. Pausing its socket costs more than sending them.
    if (lastTurn === turn) return send();
    const sendNow = () => {
      lastTurn = turn;
      send();
    };
    if (served.size === 0) setImmediate(beginTurn);
    if (takeTurn(client)) sendNow();
    else waiting.add(client, sendNow);
  };
}

function takeTurn(client: string): boolean {
  const network = networkOf(client);
  if (served.has(network)) return false;
  served.add(network);
  return true;
}

function beginTurn() {
  turn += 1;
  served.clear();
  for (let send = waiting.next(takeTurn); send; send = waiting.next(takeTurn)) send();
  if (served.size > 0) setImmediate(beginTurn);
}
