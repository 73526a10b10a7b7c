import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { unlimitedShare } from "#app/platform/limits/fair-share.ts";

/** Reading the next piece of an answer and sending it takes some tenths of a millisecond. */
const maxPiecesPerTurn = 2;

/** The limits of streamed answers bound it: each waits for one turn at most. */
const waiting = new FairQueue<() => void>(unlimitedShare);
let sentInTurn = 0;
let isScheduled = false;

/**
 * Sends the next piece of a streamed answer, at once or in a later turn of the event loop. A system takes megabytes of
 * each answer before its client reads, so a client that opens a hundred films would otherwise fill each turn with their
 * pieces.
 */
export function sendInTurn(client: string, send: () => void) {
  if (!isScheduled) setImmediate(beginTurn);
  isScheduled = true;
  if (waiting.size > 0 || sentInTurn === maxPiecesPerTurn) return void waiting.add(client, send);
  sentInTurn++;
  send();
}

function beginTurn() {
  isScheduled = waiting.size > 0;
  if (isScheduled) setImmediate(beginTurn);
  for (sentInTurn = 0; sentInTurn < maxPiecesPerTurn; sentInTurn++) {
    const send = waiting.next();
    if (!send) break;
    send();
  }
}
