import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { mebibytes } from "#app/platform/units.ts";
import { isDrawing, type RenderJob, type RenderOutcome } from "./render-job.ts";

/** The client that a conversion is for. */
export type RenderRequester = {
  /** The client whose share of the queue and of the time is used. */
  client: string;
  /** Catalog posters have priority over other pictures, because every page shows them. */
  isForPoster?: boolean;
  /** Aborts when no request waits for the result any more. */
  signal?: AbortSignal | undefined;
};

export type RenderTask = {
  job: RenderJob;
  bytes: Buffer;
  requester: RenderRequester;
  /** The conversion may take seconds, so it never runs on the last free child process. */
  isSlow: boolean;
  settle(outcome: RenderOutcome): void;
};

/** Larger files count as slow. Further signs are found only by the child process, in the picture's header. */
const maxQuickBytes = mebibytes(2);

export const mayBeSlow = (bytes: Buffer) => isDrawing(bytes) || bytes.length > maxQuickBytes;

/** After this many posters in a row, another picture has its turn, so that posters cannot block the others. */
const maxPostersInRow = 3;

/** At most this many posters, quick pictures and slow pictures wait each. */
const maxOfKind = 200;

/**
 * The queue of conversions that wait for a child process. Clients take turns, and slow conversions leave one child
 * process free for the others.
 */
export function createRenderQueue() {
  const limits = { total: maxOfKind, perClient: Math.ceil(maxOfKind / 2) };
  const posters = new FairQueue<RenderTask>(limits);
  const quick = new FairQueue<RenderTask>(limits);
  const slow = new FairQueue<RenderTask>(limits);
  let isSlowNext = false;
  let postersInRow = 0;

  const queueOf = ({ isSlow, requester }: RenderTask) =>
    isSlow ? slow : requester.isForPoster ? posters : quick;

  return {
    /** Returns false if the client's share or the queue is full. */
    add: (task: RenderTask): boolean => queueOf(task).add(task.requester.client, task),
    /** The next task. For the last free child process, only a quick one. */
    next(isForLastChild: boolean): RenderTask | undefined {
      isSlowNext = !isSlowNext;
      const [first, second] = isSlowNext ? [slow, quick] : [quick, slow];
      const other = () => (isForLastChild ? quick.next() : (first.next() ?? second.next()));
      const task = postersInRow < maxPostersInRow ? (posters.next() ?? other()) : (other() ?? posters.next());
      postersInRow = task?.requester.isForPoster && !task.isSlow ? postersInRow + 1 : 0;
      return task;
    },
    remove: (task: RenderTask): boolean => queueOf(task).remove(task.requester.client, task),
    size: () => posters.size + quick.size + slow.size,
  };
}
