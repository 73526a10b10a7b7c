import { expect, test, vi } from "vitest";
import type { LaneKind } from "#app/domain/playback/conversions/lanes.server.ts";

/** Any existing program will do: nothing is converted here. */
process.env.FFMPEG = process.execPath;

type Settings = { MEMORY: string; CONVERSIONS: string };
const smallSite = { MEMORY: "1024", CONVERSIONS: "1" };
const largeSite = { MEMORY: "8192", CONVERSIONS: "2" };

/** Work enters one lane of a site. `started` lists the work that got a converter, in order. */
async function laneWith(settings: Settings, kind: LaneKind) {
  vi.resetModules();
  Object.assign(process.env, settings);
  const { areRunsAwaited, lanes, leaveLane, startNext } = await import(
    "#app/domain/playback/conversions/lanes.server.ts"
  );
  const started: string[] = [];
  const enter = (group: "runs" | "standIns", name: string) => {
    const work = { client: name, start: () => void started.push(name) };
    expect(lanes[kind][group].queue.add(name, work)).toBe(true);
    startNext(kind);
    return { leave: () => leaveLane(kind, work) };
  };
  return {
    started,
    addRun: (name: string) => enter("runs", name),
    addStandIn: (name: string) => enter("standIns", name),
    areRunsAwaited: () => areRunsAwaited(kind),
  };
}

test.each<LaneKind>(["picture", "sound"])(
  "stand-ins leave one of two %s converters to the runs of viewers",
  async (kind) => {
    const { started, addRun, addStandIn, areRunsAwaited } = await laneWith(largeSite, kind);
    const film = addStandIn("film");
    addStandIn("other film");
    const run = addRun("run");
    expect(started).toEqual(["film", "run"]);
    // If the run gave way, the other film could not begin.
    expect(areRunsAwaited()).toBe(false);
    addRun("other run");
    expect(areRunsAwaited()).toBe(true);
    run.leave();
    expect(started).toEqual(["film", "run", "other run"]);
    film.leave();
    expect(started).toEqual(["film", "run", "other run", "other film"]);
  },
);

test("a stand-in gets a converter although more runs wait than there are converters", async () => {
  const { started, addRun, addStandIn, areRunsAwaited } = await laneWith(largeSite, "picture");
  const run = addRun("run 1");
  addRun("run 2");
  addStandIn("film");
  expect(areRunsAwaited()).toBe(true);
  addRun("run 3");
  run.leave();
  expect(started).toEqual(["run 1", "run 2", "film"]);
});

test("runs and stand-ins take turns at the only converter", async () => {
  const { started, addRun, addStandIn } = await laneWith(smallSite, "picture");
  const first = addRun("run 1");
  addRun("run 2");
  const film = addStandIn("film");
  addStandIn("other film");
  first.leave();
  film.leave();
  expect(started).toEqual(["run 1", "film", "run 2"]);
});
