import { Duplex } from "node:stream";
import { mebibytes } from "#app/platform/units.ts";

/**
 * React writes a page in pieces of at most 4 kB and calls `flush` when nothing more is ready. Each piece alone cost a system
 * call. This makes one piece of all that is written between two flushes.
 */
export class JoinedWrites extends Duplex {
  #continue = () => {};
  /** The reader is behind, so what was written before this flush still waits. */
  #isFlushDue = false;

  constructor() {
    // React stops at a full buffer and waits. It holds the page in memory either way.
    super({ writableHighWaterMark: mebibytes(1) });
    this.cork();
  }

  flush() {
    this.uncork();
    this.cork();
    this.#isFlushDue = this.writableLength > 0;
  }

  override _writev(written: { chunk: Buffer }[], done: () => void) {
    const joined = Buffer.concat(written.map(({ chunk }) => chunk));
    if (this.push(joined)) done();
    else this.#continue = done;
  }

  override _read() {
    const goOn = this.#continue;
    this.#continue = () => {};
    goOn();
    if (this.#isFlushDue) this.flush();
  }

  override _final(done: () => void) {
    this.push(null);
    done();
  }
}
