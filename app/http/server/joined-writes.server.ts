import { Duplex } from "node:stream";
import { mebibytes } from "#app/platform/units.ts";

/**
 * React writes a page in pieces of at most 4 kB and calls `flush` when nothing more is ready. Each piece would cost a
 * system call. This stream joins all pieces between two flushes into one.
 */
export class JoinedWrites extends Duplex {
  #continue = () => {};
  /** The reader is slow, and the data written before this flush is still waiting. */
  #isFlushDue = false;

  constructor() {
    // React pauses at a full buffer. The page is in React's memory either way, so the buffer is large.
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
