import type { BrowserContext, Page } from "playwright";
import { expect } from "vitest";
import { hydrated } from "#tests/support/browser/pages.ts";
import { isReady, play, seek } from "#tests/support/browser/player.ts";

/** A member finishes an episode, and the list changes accordingly. */

export async function playFrom(page: Page, address: string, second: number) {
  await page.goto(address);
  await hydrated(page);
  await isReady(page);
  await play(page);
  await seek(page, second);
}

type Entry = { type: string; state: string | null; score: number | null };
const listOf = async (context: BrowserContext, origin: string) => {
  const answer = await context.request.get(`${origin}/api/user/watchList`);
  const { data } = (await answer.json()) as { data: Entry[] };
  return data.map(({ type, state, score }) => [state ?? type, score]);
};
export const expectList = (context: BrowserContext, origin: string) =>
  expect.poll(() => listOf(context, origin));
