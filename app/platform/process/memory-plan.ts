import { kibibytes, mebibytes } from "../units.ts";

/**
 * Divides the site's memory among everything that can grow, so that it fits even when every part is full. Sizes are in
 * MiB.
 */

type Part = { minMb: number; maxMb: number };

/** The parts that grow with the available memory. The sum of the least sizes is the minimum that the site needs. */
const parts = {
  /**
   * The server's JavaScript objects: those of an idle server, and those of its requests. No request may hold a whole
   * list or file in it, because V8 ends the process when the heap is full. Long answers are therefore made page by
   * page, and uploaded files are read from the disk in pieces.
   */
  heap: { minMb: 110, maxMb: 1024 },
  /** A process that converts pictures. */
  renderChild: { minMb: 115, maxMb: 700 },
  /** A process that reads films. */
  filmChild: { minMb: 115, maxMb: 400 },
  /** An ffmpeg that converts the pictures of films. */
  pictureConverter: { minMb: 400, maxMb: 1200 },
  /** A process that converts sound. */
  soundConverter: { minMb: 160, maxMb: 320 },
  /** Recently cut film segments, and segments on their way to viewers. */
  filmSegments: { minMb: 16, maxMb: 128 },
  /** Segments that wait to be written to the disk, because their viewers read slowly. */
  movingSegments: { minMb: 12, maxMb: 32 },
  /** The thread that reads uploaded lists and accounts. Its need does not depend on the size of the file. */
  importHeap: { minMb: 24, maxMb: 24 },
  /** The thread that rewrites large playlists and subtitles. */
  rewritingHeap: { minMb: 22, maxMb: 256 },
  publicCache: { minMb: 8, maxMb: 64 },
  imageCache: { minMb: 8, maxMb: 256 },
  /** The largest accepted picture may take half of this. */
  sourcePictures: { minMb: 24, maxMb: 256 },
  /**
   * Bytes of exports and long lists that wait for their clients. Uploaded files wait on the disk and take no memory.
   */
  longAnswers: { minMb: 12, maxMb: 128 },
  playlists: { minMb: 10, maxMb: 128 },
  requestBodies: { minMb: 8, maxMb: 128 },
  unsentAnswers: { minMb: 8, maxMb: 256 },
  databaseBuffers: { minMb: 12, maxMb: 128 },
} satisfies Record<string, Part>;

type PartName = keyof typeof parts;

/** An ffmpeg for sites without memory for a `pictureConverter`. It scales 1080 lines to 720 and takes about 190 MiB. */
const smallConverter: Part = { minMb: 240, maxMb: 240 };

/** The server without its heap. */
const programMb = 80;
/** The part of the server's memory that is code, which the child processes share. */
const sharedCodeMb = 52;
/** Connections and processes of the embedded PostgreSQL, without its shared buffers. */
const databaseProgramMb = 40;
const hashThreadMb = 10;
/** With one child, quick conversions would wait for slow ones. */
const minChildren = 2;
const mbForEachChild = 768;
const maxFilmChildren = 2;
const maxSoundConverters = 2;
/** The heap of an idle server, including the reserve that V8 needs. */
const idleHeapMb = 62;
/** Running requests, and requests that have not started, may each use a quarter of the rest of the heap. */
const requestKb = 48;
const waitingRequestKb = 10;

/** The rows of one page of a long answer, with the text made from them. Such pages may use an eighth of the rest. */
const pageMb = 3;
/**
 * Two pages of lists and two of exports, which use a quarter of the rest on the smallest site. With one of each kind,
 * everybody would wait for one slow account.
 */
const minPages = 4;
/** The part of a long answer that waits for its client, and the memory of its compression. */
const longAnswerKb = 1536;

type MachineFacts = {
  cores: number;
  hasEmbeddedDatabase: boolean;
  hasFilms?: boolean;
  /** How many film pictures the operator wants to convert at once. */
  pictureConverters?: number;
};

export type MemoryPlan = Record<PartName, number> & {
  renderChildren: number;
  /** Zero if the memory is too small for them. */
  filmChildren: number;
  pictureConverters: number;
  soundConverters: number;
  /** True if pictures are converted in as little memory as possible. */
  hasSmallConverter: boolean;
  /** Threads for members' password hashes. Those for strangers have the same number. */
  hashThreads: number;
  /**
   * V8's background threads, which collect garbage and compile. By default there are four on any machine. On two cores the
   * thread that answers requests would often wait for them.
   */
  v8Threads: number;
  /** The limits of running requests and of requests that wait to start, on their connections or in clients' queues. */
  requests: number;
  waitingRequests: number;
  /** The limits of answers with more than one piece, and of their pages that are made at the same time. */
  longAnswerCount: number;
  pagesInHeap: number;
  /** The total if every part is full. */
  worstCase: number;
  /** The minimum, below which not even the least sizes fit. */
  minMb: number;
};

type FilmCounts = Pick<
  MemoryPlan,
  "filmChildren" | "pictureConverters" | "soundConverters" | "hasSmallConverter"
>;

type Helpers = Pick<MemoryPlan, "renderChildren" | "hashThreads">;

/** For the film that comes with the site, which a small site offers unconverted to save memory. */
const noConverters = { pictureConverters: 0, soundConverters: 0, hasSmallConverter: false };
const ownFilms: FilmCounts = { filmChildren: 1, ...noConverters };
const minMbForOwnFilms = 1024;
const noFilms: FilmCounts = { filmChildren: 0, ...noConverters };

/**
 * The possible choices, best first. A site with little memory still starts, converts less, and offers its films
 * unconverted.
 */
function filmChoices(isSmall: boolean, maxPictures: number): FilmCounts[] {
  const filmChildren = isSmall ? 1 : maxFilmChildren;
  const large = Array.from({ length: maxPictures }, (_, index) => ({
    filmChildren,
    pictureConverters: maxPictures - index,
    soundConverters: maxSoundConverters,
    hasSmallConverter: false,
  }));
  const one = { pictureConverters: 1, hasSmallConverter: true };
  const small = [
    { filmChildren, soundConverters: maxSoundConverters, ...one },
    { filmChildren: 1, soundConverters: 1, ...one },
  ];
  const soundOnly = [maxSoundConverters, 1, 0].map((soundConverters) => ({
    ...noConverters,
    filmChildren,
    soundConverters,
  }));
  return [...large, ...(maxPictures > 0 ? small : []), ...soundOnly];
}

export function planMemory(
  totalMb: number,
  { cores, hasEmbeddedDatabase, hasFilms = false, pictureConverters = 0 }: MachineFacts,
): MemoryPlan {
  const helpersFor = (mb: number): Helpers => ({
    renderChildren: Math.max(minChildren, Math.min(cores, Math.floor(mb / mbForEachChild))),
    // One core stays free for all other requests.
    hashThreads: mb <= 1024 ? 1 : Math.min(4, Math.max(1, cores - 1)),
  });
  const names = Object.keys(parts) as PartName[];

  /** How many of a part there are at once. All others exist once. */
  const countsWith = (films: FilmCounts, helpers: Helpers): Partial<Record<PartName, number>> => ({
    renderChild: helpers.renderChildren,
    filmChild: films.filmChildren,
    pictureConverter: films.pictureConverters,
    soundConverter: films.soundConverters,
    filmSegments: Math.min(1, films.filmChildren),
    // The segments of the film that comes with the site are small.
    movingSegments: hasFilms ? Math.min(1, films.filmChildren) : 0,
    databaseBuffers: hasEmbeddedDatabase ? 1 : 0,
  });
  const partOf = (name: PartName, films: FilmCounts): Part =>
    name === "pictureConverter" && films.hasSmallConverter ? smallConverter : parts[name];
  /** The memory of the whole site if each part has the given size. */
  function sumOf(films: FilmCounts, helpers: Helpers, sizeOf: (name: PartName) => number): number {
    const counts = countsWith(films, helpers);
    return names.reduce(
      (sum, name) => sum + sizeOf(name) * (counts[name] ?? 1),
      programMb +
        (hasEmbeddedDatabase ? databaseProgramMb : 0) +
        2 * helpers.hashThreads * hashThreadMb -
        (helpers.renderChildren + films.filmChildren) * sharedCodeMb,
    );
  }
  const minMbWith = (films: FilmCounts, helpers: Helpers) =>
    sumOf(films, helpers, (name) => partOf(name, films).minMb);
  /** The helpers that a choice always has, however much more memory the next better choice needs. */
  const helpersOf = (films: FilmCounts) => helpersFor(minMbWith(films, helpersFor(0)));

  const ownChoices = totalMb < minMbForOwnFilms ? [] : [ownFilms];
  const choices = hasFilms ? filmChoices(totalMb < 1024, pictureConverters) : ownChoices;
  const films = choices.find((one) => minMbWith(one, helpersOf(one)) <= totalMb) ?? noFilms;
  // More helpers come only after the best choice. Otherwise they would take the memory of the films from a site with
  // slightly more memory.
  const isBest = films === (choices[0] ?? noFilms);
  const grown = helpersFor(totalMb);
  const helpers = isBest && minMbWith(films, grown) <= totalMb ? grown : helpersOf(films);
  const minMb = minMbWith(films, helpers);
  const maxMb = sumOf(films, helpers, (name) => partOf(name, films).maxMb);
  const share = Math.min(1, Math.max(0, (totalMb - minMb) / (maxMb - minMb)));
  const sizes = Object.fromEntries(
    names.map((name) => {
      const part = partOf(name, films);
      return [name, Math.floor(part.minMb + (part.maxMb - part.minMb) * share)];
    }),
  ) as Record<PartName, number>;
  const freeHeap = mebibytes(sizes.heap - idleHeapMb);
  return {
    ...sizes,
    movingSegments: countsWith(films, helpers).movingSegments === 0 ? 0 : sizes.movingSegments,
    ...films,
    ...helpers,
    v8Threads: Math.min(4, Math.max(1, cores - 1)),
    requests: Math.floor(freeHeap / 4 / kibibytes(requestKb)),
    waitingRequests: Math.floor(freeHeap / 4 / 2 / kibibytes(waitingRequestKb)),
    longAnswerCount: Math.floor(mebibytes(sizes.longAnswers) / kibibytes(longAnswerKb)),
    pagesInHeap: Math.max(minPages, Math.floor(freeHeap / 8 / mebibytes(pageMb))),
    worstCase: sumOf(films, helpers, (name) => sizes[name]),
    minMb,
  };
}

/**
 * V8's limit counts only the old space; the young space grows to three semi-spaces. A small heap would be marked anew
 * after it has grown by a third: twice a second under load, and requests wait meanwhile. With the growing percent it may
 * first grow to three times its size, and at most half way to its limit.
 */
export const heapFlags = ({ heap, v8Threads }: Pick<MemoryPlan, "heap" | "v8Threads">): string[] => {
  const semiSpace = heap < 256 ? 4 : 16;
  return [
    `--max-semi-space-size=${semiSpace}`,
    `--max-old-space-size=${heap - 3 * semiSpace}`,
    "--heap-growing-percent=200",
    `--v8-pool-size=${v8Threads}`,
  ];
};

const noLimit = 2 ** 50;

/**
 * The memory limit of the container in MiB, or the memory of the machine. `read` returns the text of a file, or null.
 * The limits of all parent groups apply too.
 */
export function getMemoryMb(machineBytes: number, read: (path: string) => string | null): number {
  const limits = [machineBytes];
  for (const line of (read("/proc/self/cgroup") ?? "").trim().split("\n")) {
    const [, controllers = "-", group = ""] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    const isVersion2 = controllers === "";
    if (!isVersion2 && !controllers.split(",").includes("memory")) continue;
    const [root, file] = isVersion2
      ? ["/sys/fs/cgroup", "memory.max"]
      : ["/sys/fs/cgroup/memory", "memory.limit_in_bytes"];
    const names = group.split("/").filter(Boolean);
    // In a container the path can be the host's, which does not exist here. The container's group is then the root.
    for (let depth = 0; depth <= names.length; depth++) {
      const limit = Number(read([root, ...names.slice(0, depth), file].join("/"))?.trim() || Number.NaN);
      if (limit > 0 && limit < noLimit) limits.push(limit);
    }
  }
  return Math.floor(Math.min(...limits) / mebibytes(1));
}
