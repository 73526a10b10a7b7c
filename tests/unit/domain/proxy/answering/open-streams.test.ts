import { expect, test } from "vitest";
import {
  maxStreams,
  maxStreamsPerClient,
  takeStreamSlot,
} from "#app/domain/proxy/answering/open-streams.server.ts";

test("stream slots are limited for each client and for all clients, and a slot is released only once", () => {
  const slots: (() => void)[] = [];
  const take = (client: string) => {
    const release = takeStreamSlot(client);
    if (release) slots.push(release);
    return release !== null;
  };
  for (let taken = 0; taken < maxStreamsPerClient; taken++) expect(take("greedy")).toBe(true);
  expect(take("greedy")).toBe(false);
  for (let taken = maxStreamsPerClient; taken < maxStreams; taken++)
    expect(take(`viewer ${taken}`)).toBe(true);
  expect(take("the last")).toBe(false);
  slots[0]?.();
  slots[0]?.();
  expect([take("greedy"), take("greedy"), take("the last")]).toEqual([true, false, false]);
  for (const release of slots) release();
  expect(take("the last")).toBe(true);
  slots.at(-1)?.();
});
