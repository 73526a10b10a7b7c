import { FairQueue } from "#app/platform/limits/fair-queue.ts";
import { mebibytes } from "#app/platform/units.ts";
import { isDrawing, type RenderJob, type RenderOutcome } from "./render-job.ts";

/** Who waits for a conversion. */
export type RenderRequester = {
  /** Whose share of the queue and of the time it uses. */
  client: string;
  /** Posters of the catalog go before other pictures, because every page shows them. */
  isForPoster?: boolean;
  /** Aborts when nobody waits for the result any more. */
  signal?: AbortSignal | undefined;
};

export type RenderTask = {
  job: RenderJob;
  bytes: Buffer;
  requester: RenderRequester;
  /** May take seconds, so it never runs on the last free child process. */
  isSlow: boolean;
  settle(outcome: RenderOutcome): void;
};

/** More can only be found by the child process, from the header of the picture. */
const maxQuickBytes = mebibytes(2);

export const mayBeSlow = (bytes: Buffer) => isDrawing(bytes) || bytes.length > maxQuickBytes;

/** After so many posters one of the other pictures has its turn, so that nobody holds these up with posters. */
const maxPostersInRow = 3;

/** The conversions that wait for a child process. Clients take turns, and slow conversions leave one child to the others. */
export function createRenderQueue(maxTasks: number) {
  const limits = { total: maxTasks, perClient: Math.ceil(maxTasks / 2) };
  const posters = new FairQueue<RenderTask>(limits);
  const quick = new FairQueue<RenderTask>(limits);
  const slow = new FairQueue<RenderTask>(limits);
  let isSlowNext = false;
  let postersInRow = 0;

  const queueOf = ({ isSlow, requester }: RenderTask) =>
    isSlow ? slow : requester.isForPoster ? posters : quick;

  return {
    /** False: the client's share or the queue is full. */
    add: (task: RenderTask): boolean => queueOf(task).add(task.requester.client, task),
    /** The next task; for the last free child only one that is quick. */
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
