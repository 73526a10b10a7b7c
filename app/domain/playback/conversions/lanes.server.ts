import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * The lanes of the site's converters: one for work that encodes pictures, one for all other work. The memory of a lane's
 * converters is reserved, so each lane runs a fixed number of them, and further work waits in its queue.
 */

export type LaneKind = "picture" | "sound";
/** Occupies a converter of its lane from the call of `start` until `leaveLane`. */
export type LaneWork = { client: string; start(): void };

type Lane = { max: number; running: Set<LaneWork>; queue: FairQueue<LaneWork> };

const laneOf = (max: number): Lane => ({
  max,
  running: new Set(),
  queue: new FairQueue({ total: 64, perClient: 4 }),
});
export const lanes: Record<LaneKind, Lane> = {
  picture: laneOf(memoryPlan.pictureConverters),
  sound: laneOf(memoryPlan.soundConverters),
};

export function startNext(kind: LaneKind) {
  const { running, max, queue } = lanes[kind];
  while (running.size < max) {
    const work = queue.next();
    if (!work) return;
    running.add(work);
    work.start();
  }
}

/** Gives the work's converter, or its place in the queue, to the next one. */
export function leaveLane(kind: LaneKind, work: LaneWork) {
  lanes[kind].running.delete(work);
  lanes[kind].queue.remove(work.client, work);
  startNext(kind);
}
