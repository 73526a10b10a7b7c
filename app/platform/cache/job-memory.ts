/**
 * Memory that one job after the other uses again. V8 counts memory outside of its heap, and collects garbage each time when
 * a few segments of films have been read: that would take longer than all else that is done with them.
 */
type JobMemory = {
  /** Its content is whatever was left there. */
  allocate(length: number): Buffer;
  /** The next job begins: what was allocated for the one before is used again. */
  clear(): void;
};

/** What does not fit into so many bytes gets memory of its own. */
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
