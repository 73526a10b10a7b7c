import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";

/**
 * The lanes of the site's converters: one for work that encodes pictures, one for all other work. The memory of a lane's
 * converters is reserved, so each lane runs a fixed number of them, and further work waits in its queues. Runs convert a
 * track for viewers and give way to other work. A stand-in keeps its converter until the whole film is read, which can
 * take hours, so stand-ins leave half of a lane's converters to runs.
 */

export type LaneKind = "picture" | "sound";
/** Occupies a converter of its lane from the call of `start` until `leaveLane`. */
export type LaneWork = { client: string; start(): void };

type Group = { max: number; running: Set<LaneWork>; queue: FairQueue<LaneWork> };
/** `inTurn`: both groups, ordered by when each last got a converter. */
type Lane = { max: number; runs: Group; standIns: Group; inTurn: readonly Group[] };

const groupOf = (max: number): Group => ({
  max,
  running: new Set(),
  // Six players of a household, and two that seek.
  queue: new FairQueue({ total: 128, perClient: 8 }),
});

function laneOf(max: number): Lane {
  const runs = groupOf(max);
  // A lane's only converter serves both.
  const standIns = groupOf(Math.max(1, Math.floor(max / 2)));
  return { max, runs, standIns, inTurn: [runs, standIns] };
}

export const lanes: Record<LaneKind, Lane> = {
  picture: laneOf(memoryPlan.pictureConverters),
  sound: laneOf(memoryPlan.soundConverters),
};

const mayStart = ({ max, running, queue }: Group) => queue.size > 0 && running.size < max;

/** Whether work waits that would start if a run gave way. */
export const areRunsAwaited = (kind: LaneKind): boolean =>
  lanes[kind].runs.queue.size > 0 || mayStart(lanes[kind].standIns);

export function startNext(kind: LaneKind) {
  const lane = lanes[kind];
  while (lane.runs.running.size + lane.standIns.running.size < lane.max) {
    const group = lane.inTurn.find(mayStart);
    const work = group?.queue.next();
    if (!group || !work) return;
    lane.inTurn = [...lane.inTurn.filter((other) => other !== group), group];
    group.running.add(work);
    work.start();
  }
}

/** Gives the work's converter, or its place in the queue, to the next one. */
export function leaveLane(kind: LaneKind, work: LaneWork) {
  for (const { running, queue } of lanes[kind].inTurn) {
    running.delete(work);
    queue.remove(work.client, work);
  }
  startNext(kind);
}
