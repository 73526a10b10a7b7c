import { networkOf } from "#app/platform/limits/client-block.ts";
import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { unlimitedShare } from "#app/platform/limits/fair-share.ts";

/** Holds each open answer once at most. An answer stays until its turn even if its client has gone; it then sends nothing. */
const waiting = new FairQueue<() => void>(unlimitedShare);
/** The networks of which an answer has sent in this turn. Empty if the next turn is not scheduled. */
const served = new Set<string>();
let turn = 0;

/**
 * Returns the function that a streamed answer calls when its socket has room again. It calls `send` at once or in a
 * later turn of the event loop: in each turn, one answer of each network sends, and its others wait. The system accepts
 * megabytes of an answer before its client reads them, so a client that opens a hundred files would otherwise fill each
 * turn with their pieces. A socket reports room only after it was full, so answers in small pieces do not wait until
 * the system accepts no more.
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
