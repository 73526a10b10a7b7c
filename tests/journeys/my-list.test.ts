import type { Locator, Page, Route } from "playwright";
import { expect, test } from "vitest";
import {
  hasFocus,
  onListedTitle,
  openWithList,
  pressed,
  signedIn,
  signedInWithList,
} from "#tests/support/browser/my-list.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  actBeforeScripts,
  hydrated,
  loadedAgain,
  titleWithEveryEpisode,
} from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** The list journeys that tests/e2e/member-pages.test.ts leaves out. tests/release has more. */

const [browser, site] = [await openBrowser({ hasPictures: false, isOwnClient: true }), sharedSite()];
const withScripts = { browser, site, script: true };

test("a pressed heart shows at once, stays pressed once saved, and reverts if saving fails", async () => {
  const { page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page);
  const heart = page.getByRole("button", { name: "Favorite", exact: true });
  const held: Route[] = [];
  await page.route("**/anime/1/**", async (route) => {
    if (route.request().method() === "POST") held.push(route);
    else await route.continue();
  });
  for (const how of ["abort", "continue"] as const) {
    await heart.click();
    await pressed(page, "Favorite").toBe("true");
    await expect.poll(() => held.length).toBe(1);
    await held.pop()?.[how]();
    await page.getByText(how === "abort" ? "Not saved." : "Added Cowboy Bebop to your favorites").waitFor();
    await pressed(page, "Favorite").toBe(how === "abort" ? "false" : "true");
  }
  await page.unrouteAll();
  await page.reload();
  await pressed(page, "Favorite").toBe("true");
});

test("an entry with the longest accepted note can be changed on a title page, and the change can be undone", async () => {
  // A form sends each of these characters in nine bytes.
  const { page, entryOf, before } = await onListedTitle(withScripts, { notes: "あ".repeat(10_000) });
  await page.getByRole("button", { name: "Completed", exact: true }).click();
  await pressed(page, "Completed").toBe("true");
  await expect.poll(entryOf).toEqual({ ...before, type: "Completed" });
  await page.getByRole("button", { name: "Undo" }).click();
  await pressed(page, "Watching").toBe("true");
  await expect.poll(entryOf).toEqual(before);
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("home offers to continue watching, and says why it recommends a title", async () => {
  const { context, page } = await signedInWithList(withScripts);
  await page.goto(site.origin);
  await page.getByRole("button", { name: "Add to list" }).click();
  await page.getByRole("link", { name: "In my list" }).waitFor();
  const report = { mal_id: 900000001, ep: 1, position: 60, duration: 126, at: new Date().toISOString() };
  expect((await context.request.put(`${site.origin}/api/user/progress`, { data: report })).status()).toBe(
    200,
  );
  const answer = await page.goto(site.origin);
  expect(answer?.headers()["cache-control"]).toContain("private");
  await page.getByRole("heading", { name: "Continue watching" }).waitFor();
  await page.getByText("Ep 1 · 1 min left").waitFor();
  await page.getByRole("heading", { name: "Because you liked Cowboy Bebop" }).waitFor();
  await hydrated(page);
  await page.getByRole("button", { name: /from Continue watching$/ }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Continue watching" }).waitFor({ state: "detached" });
  // The focus is on a link, so that Enter, pressed once more, removes nothing.
  await expect.poll(() => page.evaluate(() => document.activeElement?.localName)).toBe("a");
});

test("Ctrl+Z undoes a row's last change, and after Undo and Close the focus returns to the row", async () => {
  const { page } = await openWithList(withScripts, "/list?edit=20", [1, 20, 21]);
  const row = page.locator(".list-row-form");
  const name = `${await row.getAttribute("aria-label")}`;
  const more = row.getByRole("button", { name: "One episode more" });
  const addEpisode = async () => {
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByText(`Saved ${name}`).waitFor();
  };
  await addEpisode();
  await page.keyboard.press("Control+z");
  await page.getByText(`Undid the change of ${name}`).waitFor();
  await expect.poll(() => row.getByRole("spinbutton").inputValue()).toBe("0");
  await expect.poll(() => hasFocus(more)).toBe(true);
  for (const button of ["Undo", "Close this message"]) {
    await addEpisode();
    await page.getByRole("button", { name: button }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(`Saved ${name}`).waitFor({ state: "hidden" });
    await expect.poll(() => hasFocus(more)).toBe(true);
  }
});

test("Undo shows in the details of an entry, and Save keeps the focus", async () => {
  const { page } = await openWithList(withScripts, "/list?edit=1");
  const form = page.getByRole("form", { name: "Details of Cowboy Bebop" });
  const [tags, note, started] = ["My tags", "My note", "Started"].map((label) => form.getByLabel(label));
  await tags?.fill("space, jazz");
  await note?.fill("See you");
  await started?.fill("2020-01-02");
  await tags?.press("Enter");
  await page.getByText("Saved Cowboy Bebop").waitFor();
  expect(await tags?.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  for (const field of [tags, note, started]) await expect.poll(() => field?.inputValue()).toBe("");
});

test("Save in the details of an entry keeps what another device has changed since the page was loaded", async () => {
  const { context, page } = await signedIn(withScripts);
  const list = `${site.origin}/api/user/watchList`;
  const save = (data: object) =>
    context.request.post(list, { data: { animeId: 1, type: "Watching", ...data } });
  await save({ notes: "Old", started_on: "2024-01-02" });
  await page.goto(`${site.origin}/list?edit=1`);
  await hydrated(page);
  const elsewhere = { notes: "See you\nspace cowboy", rewatch_count: 2, started_on: "2024-01-01" };
  await save(elsewhere);
  const form = page.getByRole("form", { name: "Details of Cowboy Bebop" });
  await form.getByLabel("My tags").fill("jazz");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  const { data } = await (await context.request.get(list)).json();
  expect(data).toMatchObject([{ ...elsewhere, tags: ["jazz"] }]);
  await expect.poll(() => form.getByLabel("My note").inputValue()).toBe(elsewhere.notes);
});

test("Save sends a detail again that is changed back before the first answer", async () => {
  const { context, page } = await signedIn(withScripts);
  const list = `${site.origin}/api/user/watchList`;
  await context.request.post(list, { data: { animeId: 1, type: "Watching", tags: ["jazz"] } });
  await page.goto(`${site.origin}/list?edit=1`);
  await hydrated(page);
  // The first save reaches the site, and its answer never arrives.
  const stored: unknown[] = [];
  await page.route(
    (url) => url.pathname === "/list.data",
    async (route) => {
      if (route.request().method() !== "POST" || stored.length > 0) return route.continue();
      stored.push(await route.fetch());
    },
  );
  const form = page.getByRole("form", { name: "Details of Cowboy Bebop" });
  const save = async (tags: string) => {
    await form.getByLabel("My tags").fill(tags);
    await form.getByRole("button", { name: "Save" }).click();
  };
  await save("blues");
  await expect.poll(() => stored.length).toBe(1);
  await save("jazz");
  await page.getByText("Saved Cowboy Bebop").waitFor();
  const { data } = await (await context.request.get(list)).json();
  expect(data).toMatchObject([{ tags: ["jazz"] }]);
});

/** Holds back each load of the page until the returned function is called. */
async function holdLoads(page: Page, path: string) {
  let loadAgain = () => {};
  const mayLoad = new Promise<void>((resolve) => {
    loadAgain = resolve;
  });
  await page.route(`${path}.data*`, async (route) => {
    if (route.request().method() === "GET") await mayLoad;
    await route.continue();
  });
  return loadAgain;
}

test.each<[field: string, before: string, change: (field: Locator) => Promise<unknown>]>([
  [
    "My note",
    "",
    async (field) => {
      await field.fill("See you");
      await field.locator("xpath=ancestor::form").getByRole("button", { name: "Save" }).click();
    },
  ],
  ["List status of Cowboy Bebop", "Watching", (field) => field.selectOption("Dropped")],
  ["My score for Cowboy Bebop", "", (field) => field.selectOption("8")],
])(
  "Undo shows in “%s” even if it is pressed before the page is loaded again",
  async (label, before, change) => {
    const { page } = await openWithList(withScripts, "/list?edit=1");
    const loadAgain = await holdLoads(page, "**/list");
    const field = page.getByLabel(label);
    await change(field);
    await page.getByText("Saved Cowboy Bebop").waitFor();
    const undone = page.waitForResponse("**/list.data*");
    await page.getByRole("button", { name: "Undo" }).click();
    await undone;
    loadAgain();
    await expect.poll(() => field.inputValue()).toBe(before);
  },
);

test("Undo shows in the note of a title page even if it is pressed before the page is loaded again", async () => {
  const { page } = await openWithList(withScripts, "/anime/1/cowboy-bebop");
  const loadAgain = await holdLoads(page, "**/anime/1/cowboy-bebop");
  await page.getByText("Add a note").click();
  const note = page.getByLabel("My note");
  await note.fill("See you");
  await page.getByRole("button", { name: "Save note" }).click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  const undone = page.waitForResponse("**/anime/1/cowboy-bebop.data*");
  await page.getByRole("button", { name: "Undo" }).click();
  await undone;
  loadAgain();
  await expect.poll(() => note.inputValue()).toBe("");
});

test("a note stays in its field while a date is saved before the page is loaded again", async () => {
  const { page } = await openWithList(withScripts, "/list?edit=1");
  const loadAgain = await holdLoads(page, "**/list");
  const form = page.getByRole("form", { name: "Details of Cowboy Bebop" });
  const [note, started] = [form.getByLabel("My note"), form.getByLabel("Started")];
  const save = form.getByRole("button", { name: "Save" });
  await note.fill("See you");
  await save.click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  await started.fill("2020-01-02");
  const saved = page.waitForResponse("**/list.data*");
  await save.click();
  await saved;
  for (const field of [note, started]) expect(await field.inputValue()).not.toBe("");
  const loaded = loadedAgain(page);
  loadAgain();
  await loaded;
  await expect
    .poll(async () => [await note.inputValue(), await started.inputValue()])
    .toEqual(["See you", "2020-01-02"]);
});

test("two ticks in a row are both saved, though the first is still being sent", async () => {
  const { context, page } = await signedIn(withScripts);
  await page.goto(`${site.origin}/anime/900000001`);
  await hydrated(page);
  const held: Route[] = [];
  await page.route("**/anime/900000001/**", async (route) => {
    if (route.request().method() === "POST") held.push(route);
    else await route.continue();
  });
  for (const episode of [1, 2]) {
    await page.getByRole("button", { name: `Episode ${episode} seen` }).click();
    await pressed(page, `Episode ${episode} seen`).toBe("true");
    await expect.poll(() => held.length).toBe(episode);
  }
  await pressed(page, "Episode 1 seen").toBe("true");
  // A browser does not continue a request that the page has aborted.
  for (const route of held) await route.continue();
  // The answers may come in any order, and a reload would abort the one that is still to come.
  await Promise.all(held.map((route) => route.request().response()));
  await page.unrouteAll({ behavior: "wait" });
  const list = async () => {
    const answer = await context.request.get(`${site.origin}/api/user/watchList`);
    return ((await answer.json()) as { data: { progress: number }[] }).data.map(({ progress }) => progress);
  };
  await expect.poll(list).toEqual([2]);
  await page.reload();
  for (const episode of [1, 2]) await pressed(page, `Episode ${episode} seen`).toBe("true");
});

test("marking an episode as seen shows in all lists of its page, and so does Undo, which returns the focus", async () => {
  const { context, page } = await signedIn(withScripts);
  const watching = { animeId: titleWithEveryEpisode, type: "To Watch" };
  await context.request.post(`${site.origin}/api/user/watchList`, { data: watching });
  // The row of episodes is below the film of a narrow window only.
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto(`${site.origin}/watch/${titleWithEveryEpisode}/26`);
  await hydrated(page);
  const [seen, undo] = ["Mark as seen", "Undo"].map((name) => page.getByRole("button", { name })) as [
    Locator,
    Locator,
  ];
  const bar = page.locator(".entry-bar");
  const state = async () => ({
    isTicked: (await page.locator(".watch-side .episode[aria-current] .episode-seen").count()) > 0,
    isSeenInRow: /Seen/.test(`${await page.locator(".episode-tile[aria-current]").textContent()}`),
    isOffered: (await bar.getByRole("button", { name: "Mark as Completed" }).count()) > 0,
    entry: await bar.getByRole("link").textContent(),
  });
  await seen.focus();
  await page.keyboard.press("Enter");
  await expect.poll(state).toEqual({
    isTicked: true,
    isSeenInRow: true,
    isOffered: true,
    entry: "Watching · 26 / 26",
  });
  await undo.focus();
  await page.keyboard.press("Enter");
  await expect.poll(state).toEqual({
    isTicked: false,
    isSeenInRow: false,
    isOffered: false,
    entry: "To Watch · 0 / 26",
  });
  await expect.poll(() => hasFocus(seen)).toBe(true);
  await page.keyboard.press("Enter");
  await bar.getByRole("button", { name: "Mark as Completed" }).click();
  await bar.getByRole("link", { name: "Completed · 26 / 26" }).waitFor();
});

test.each([
  ["title", "/anime/1/cowboy-bebop"],
  ["list", "/list?edit=1"],
])("“One episode more” on a %s page that is behind keeps the ticks of another tab", async (_name, path) => {
  const { context, page } = await signedIn(withScripts);
  const list = `${site.origin}/api/user/watchList`;
  const watchUpTo = async (progress: number) => {
    const answer = await context.request.post(list, { data: { animeId: 1, type: "Watching", progress } });
    expect(answer.status()).toBe(200);
  };
  await watchUpTo(3);
  await page.goto(`${site.origin}${path}`);
  await hydrated(page);
  await watchUpTo(6);
  await page.getByRole("button", { name: "One episode more" }).click();
  await page.getByText("Saved Cowboy Bebop").waitFor();
  expect(await (await context.request.get(list)).json()).toMatchObject({ data: [{ progress: 6 }] });
});

test("a score that is refused under the film can be chosen again", async () => {
  const { page } = await openWithList(withScripts, `/watch/${titleWithEveryEpisode}/1`, [
    titleWithEveryEpisode,
  ]);
  const bar = page.locator(".entry-bar");
  const score = bar.getByLabel("My score");
  await page.route("**/anime/**", (route) => route.abort());
  await score.selectOption("8");
  await bar.getByText("Not saved. Try again.").waitFor();
  await expect.poll(() => score.inputValue()).toBe("");
  await page.unrouteAll();
  await score.selectOption("8");
  await bar.getByText(/^Saved .*: score 8$/).waitFor();
  await expect.poll(() => score.inputValue()).toBe("8");
});

test("words that are typed in the search of the list before its scripts have loaded stay there", async () => {
  const { page } = await signedInWithList(withScripts);
  const field = page.getByRole("searchbox", { name: "Search my list" });
  await actBeforeScripts(page, `${site.origin}/list`, () => field.fill("Bebop"));
  await hydrated(page);
  expect(await field.inputValue()).toBe("Bebop");
});

test("after a press, the focus is on what took the place of the button", async () => {
  const { page } = await signedInWithList(withScripts);
  const pressWithKey = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press("Enter");
  };
  await page.goto(site.origin);
  await hydrated(page);
  await pressWithKey(page.getByRole("button", { name: "Add to list" }));
  await expect.poll(() => hasFocus(page.getByRole("link", { name: "In my list" }))).toBe(true);
  await pressWithKey(page.getByRole("button", { name: "Undo" }));
  await expect.poll(() => hasFocus(page.getByRole("button", { name: "Add to list" }))).toBe(true);
  await page.goto(`${site.origin}/anime/1/cowboy-bebop`);
  await hydrated(page);
  await pressWithKey(page.getByRole("button", { name: "Remove from list" }));
  await page.getByText("Removed Cowboy Bebop").waitFor();
  await expect.poll(() => hasFocus(page.locator(".list-types button").first())).toBe(true);
});

test("the notice of an edit does not move into the entry that is opened next", async () => {
  const { page } = await openWithList(withScripts, "/list?view=list", [1, 20]);
  const panel = page.locator(".list-row-open");
  const edits = page.locator(".list-row").getByRole("link", { name: /^Edit/ });
  await edits.first().click();
  await panel.getByRole("combobox").first().selectOption("Dropped");
  await panel.getByText(/^Saved /).waitFor();
  await edits.last().click();
  await page.locator(".list-row:last-child .list-row-open").waitFor();
  await page.getByText(/^Saved /).waitFor();
  expect(await panel.getByText(/^Saved /).count()).toBe(0);
});

test("every change of a row is confirmed, and rows keep their order until the next visit", async () => {
  const { page } = await openWithList(withScripts, "/list", [1, 20, 21]);
  const names = () => page.locator(".list-row-name").allTextContents();
  const edit = async (name: string) => {
    await page.getByRole("link", { name: `Edit ${name}`, exact: true }).click();
    return page.getByRole("form", { name, exact: true });
  };
  const before = await names();
  expect(before.length).toBe(3);
  for (const name of before.toReversed()) {
    const row = await edit(name);
    await row.getByRole("button", { name: "One episode more" }).click();
    await page.getByText(`Saved ${name}`).waitFor();
    await expect.poll(names).toEqual(before);
  }
  await page.reload();
  await expect.poll(names).toEqual(before);
  await edit(`${before[1]}`);
  await page.getByRole("button", { name: `Remove ${before[1]} from the list` }).click();
  await page.getByText(`Removed ${before[1]}`).waitFor();
  await expect.poll(() => hasFocus(page.getByRole("link", { name: new RegExp(`^${before[2]}`) }))).toBe(true);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(`Undid the change of ${before[1]}`).waitFor();
  await expect.poll(names).toEqual(before);
});
