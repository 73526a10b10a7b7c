/**
 * Memory that one job after another reuses. V8 counts memory outside its heap, so new memory for each job would start a
 * garbage collection after every few film segments, which takes longer than all other work on them.
 */
type JobMemory = {
  /** The returned memory is not zeroed. */
  allocate(length: number): Buffer;
  /** Starts the next job. The memory of the previous one is reused. */
  clear(): void;
};

/** An allocation that does not fit into `size` bytes gets separate memory. */
export function createJobMemory(size: number): JobMemory {
  let whole: Buffer | null = null;
  let used = 0;
  return {
    allocate(length) {
      if (length > size - used) return Buffer.allocUnsafeSlow(length);
      whole ??= Buffer.allocUnsafeSlow(size);
      used += length;
      return whole.subarray(used - length, used);
    },
    clear() {
      used = 0;
    },
  };
}
