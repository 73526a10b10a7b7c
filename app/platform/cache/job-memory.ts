/**
 * Memory that is reused by one job after another. V8 counts memory outside of its heap, and would collect garbage each
 * time a few film segments have been read. That would take longer than all other work on them.
 */
type JobMemory = {
  /** The memory is not cleared. */
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
