import { describe, expect, test } from "vitest";
import { getMemoryMb, heapFlags, type MemoryPlan, planMemory } from "#app/platform/process/memory-plan.ts";

const gibibyte = 1024 ** 3;

describe("the plan", () => {
  const totals = [512, 1024, 2048, 8192];
  const machines = [1, 2, 4, 16].flatMap((cores) =>
    [true, false].map((hasEmbeddedDatabase) => ({ cores, hasEmbeddedDatabase })),
  );

  test.each(totals)("with %i MiB, everything at its worst fits, on every machine", (total) => {
    for (const machine of machines) {
      const plan = planMemory(total, machine);
      expect(plan.worstCase).toBeLessThanOrEqual(total);
      expect(sumOf(plan, machine.hasEmbeddedDatabase)).toBe(plan.worstCase);
    }
  });

  test("requests fit into the half of the heap that an idle server does not need", () => {
    for (const total of totals) {
      const plan = planMemory(total, { cores: 2, hasEmbeddedDatabase: true });
      expect(plan.requests).toBeGreaterThan(200);
      const kibibytes = plan.requests * 48 + 2 * plan.waitingRequests * 10;
      expect(kibibytes).toBeLessThanOrEqual(((plan.heap - 62) * 1024) / 2);
    }
  });

  test("with the embedded database and two children, 512 MiB are the minimum", () => {
    expect(planMemory(256, { cores: 1, hasEmbeddedDatabase: true }).minMb).toBe(512);
    expect(planMemory(256, { cores: 4, hasEmbeddedDatabase: false }).minMb).toBe(460);
  });

  test("with more memory nothing becomes smaller, and no part grows beyond its limit", () => {
    for (const hasEmbeddedDatabase of [true, false]) {
      const machine = { cores: 1, hasEmbeddedDatabase };
      for (let total = 512; total < 16_384; total += 128) {
        const [plan, larger] = [planMemory(total, machine), planMemory(total + 128, machine)];
        for (const [name, size] of Object.entries(plan))
          expect(Number(larger[name as keyof typeof larger])).toBeGreaterThanOrEqual(Number(size));
      }
      expect(planMemory(1_000_000, machine)).toMatchObject({ heap: 1024, imageCache: 256, renderChild: 700 });
    }
  });
});

test("the film that comes with the site is read by one child if there is enough memory", () => {
  const children = [896, 1024].map((total) => planMemory(total, { cores: 2, hasEmbeddedDatabase: true }));
  expect(children.map(({ filmChildren }) => filmChildren)).toEqual([0, 1]);
});

describe("the plan with films", () => {
  const machine = { cores: 4, hasEmbeddedDatabase: true, hasFilms: true, pictureConverters: 2 };

  test.each([
    [512, { filmChildren: 0, pictureConverters: 0, soundConverters: 0 }],
    [768, { filmChildren: 1, pictureConverters: 0, soundConverters: 1 }],
    [1024, { filmChildren: 1, pictureConverters: 1, soundConverters: 1, hasSmallConverter: true }],
    [1280, { filmChildren: 2, pictureConverters: 1, soundConverters: 2, hasSmallConverter: true }],
    [4096, { filmChildren: 2, pictureConverters: 2, soundConverters: 2, hasSmallConverter: false }],
  ])("with %i MiB, as many films are read and converted as fit", (total, counts) => {
    const plan = planMemory(total, machine);
    expect(plan).toMatchObject(counts);
    expect(plan.worstCase).toBeLessThanOrEqual(total);
    expect(sumOf(plan, true)).toBe(plan.worstCase);
  });

  test("with less memory, the number of picture conversions falls step by step to none", () => {
    const counts = [4096, 2048, 1024, 768].map((total) => planMemory(total, machine).pictureConverters);
    expect(counts).toEqual([...counts].sort().reverse());
    expect(new Set(counts).size).toBeGreaterThan(1);
  });
});

test("with one MiB more, a site converts no fewer films, and has no fewer processes and threads for others", () => {
  const worse: string[] = [];
  for (const cores of [1, 2, 4, 8, 16])
    for (const hasEmbeddedDatabase of [true, false]) {
      const pictureConverters = Math.max(1, cores / 2);
      const machine = { cores, hasEmbeddedDatabase, hasFilms: true, pictureConverters };
      let plan = planMemory(256, machine);
      for (let total = 257; total <= 4096; total++) {
        const larger = planMemory(total, machine);
        const isWorse =
          filmAbility(larger) < filmAbility(plan) ||
          larger.renderChildren < plan.renderChildren ||
          larger.hashThreads < plan.hashThreads ||
          (total >= larger.minMb && larger.worstCase > total);
        if (isWorse) worse.push(`${total} MiB with ${JSON.stringify(machine)}`);
        plan = larger;
      }
    }
  expect(worse).toEqual([]);
});

/** A plan that converts more pictures, or larger ones, is better than one that converts more sound. */
const filmAbility = (plan: MemoryPlan) => {
  const { filmChildren, pictureConverters, soundConverters, hasSmallConverter } = plan;
  return 1000 * pictureConverters - (hasSmallConverter ? 500 : 0) + 10 * soundConverters + filmChildren;
};

/** Computed independently of the plan's own sum. */
function sumOf(plan: MemoryPlan, hasEmbeddedDatabase: boolean) {
  const { heap, importHeap, rewritingHeap, publicCache, imageCache, hashThreads } = plan;
  const { sourcePictures, longAnswers, playlists, requestBodies, unsentAnswers } = plan;
  const database = hasEmbeddedDatabase ? 40 + plan.databaseBuffers : 0;
  const buffers = sourcePictures + longAnswers + playlists + requestBodies + unsentAnswers;
  const segments = plan.filmChildren === 0 ? 0 : plan.filmSegments + plan.movingSegments;
  const converters =
    plan.pictureConverters * plan.pictureConverter + plan.soundConverters * plan.soundConverter;
  const films = (plan.filmChild - 52) * plan.filmChildren + segments + converters;
  const children = (plan.renderChild - 52) * plan.renderChildren + films;
  const computing = heap + importHeap + rewritingHeap + 20 * hashThreads + children;
  return 80 + database + buffers + computing + publicCache + imageCache;
}

test("V8's old and young space together are the planned heap", () => {
  const flags = (heap: number) => heapFlags({ heap, v8Threads: 1 }).slice(0, 2);
  expect(flags(96)).toEqual(["--max-semi-space-size=4", "--max-old-space-size=84"]);
  expect(flags(512)).toEqual(["--max-semi-space-size=16", "--max-old-space-size=464"]);
});

test("V8 lets the heap grow before it marks it anew, instead of by a third", () =>
  expect(heapFlags({ heap: 96, v8Threads: 1 })).toContain("--heap-growing-percent=200"));

test("V8 has one background thread fewer than there are cores, at least one and at most four", () => {
  const threadsWith = (cores: number) => {
    const { heap, v8Threads } = planMemory(1024, { cores, hasEmbeddedDatabase: true });
    return heapFlags({ heap, v8Threads }).at(-1);
  };
  expect([1, 2, 4, 16].map(threadsWith)).toEqual([1, 1, 3, 4].map((count) => `--v8-pool-size=${count}`));
});

describe("the available memory", () => {
  const find = (files: Record<string, string>) => getMemoryMb(8 * gibibyte, (path) => files[path] ?? null);

  test("without a container is the memory of the machine", () => expect(find({})).toBe(8192));

  test.each<[string, Record<string, string>, number]>([
    ["of version 2", { "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "536870912\n" }, 512],
    [
      "of version 2 in a group above ours",
      {
        "/proc/self/cgroup": "0::/a/b\n",
        "/sys/fs/cgroup/a/memory.max": "1073741824\n",
        "/sys/fs/cgroup/a/b/memory.max": "max\n",
      },
      1024,
    ],
    [
      "of version 1 whose path is that of the host",
      {
        "/proc/self/cgroup": "4:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
      },
      256,
    ],
  ])("is found from a limit %s", (_name, files, expected) => expect(find(files)).toBe(expected));

  test("a limit of version 1 that is a huge number means no limit, and a limit above the machine's memory is ignored", () => {
    const unlimited = { "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n" };
    expect(find({ "/proc/self/cgroup": "3:memory:/\n", ...unlimited })).toBe(8192);
    expect(find({ "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "99999999999\n" })).toBe(8192);
  });
});
