import { expect, it } from "vitest";
import {
  maxStreams,
  maxStreamsPerClient,
  takeStreamSlot,
} from "#app/domain/streaming/proxy/open-streams.server.ts";

it("gives a client so many places, all of them together so many, and each place back once", () => {
  const places: (() => void)[] = [];
  const take = (client: string) => {
    const release = takeStreamSlot(client);
    if (release) places.push(release);
    return release !== null;
  };
  for (let taken = 0; taken < maxStreamsPerClient; taken++) expect(take("greedy")).toBe(true);
  expect(take("greedy")).toBe(false);
  for (let taken = maxStreamsPerClient; taken < maxStreams; taken++)
    expect(take(`viewer ${taken}`)).toBe(true);
  expect(take("the last")).toBe(false);
  places[0]?.();
  places[0]?.();
  expect([take("greedy"), take("greedy"), take("the last")]).toEqual([true, false, false]);
  for (const release of places) release();
  expect(take("the last")).toBe(true);
  places.at(-1)?.();
});
