import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The settings that operators choose on a site that can be reached from outside. */

const folder = temporaryFolder("setup-films");
Object.assign(process.env, { HOST: "0.0.0.0", MEDIA_DIR: folder, SIGNUPS: "" });
const { newMember, newOperator, signUpMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { loadSiteSettings } = await import("#app/domain/setup/setup.server.ts");
const { listEvents } = await import("#app/domain/events/events.server.ts");
const { siteSettings } = await import("#db/schema/site-settings.ts");

const operator = await newOperator();

const readStep = (step: string) => htmlOf(operator.request(`/admin/setup?step=${step}`));
const readPage = () => readStep("people");
const save = async (form: Record<string, string>) =>
  expect((await operator.request("/admin/setup", { form: { intent: "people", ...form } })).status).toBe(302);
const chosen = (html: string) =>
  [...html.matchAll(/<input type="radio"[^>]*value="(\w+)"[^>]*>/g)]
    .filter(([input]) => input.includes("checked"))
    .map(([, value]) => value);

test("it counts the videos of the folder, and says when there is none", async () => {
  const count = async () => />([^<>]+)<\/bdi><span[^>]*>([^<]+)</.exec(await readStep("videos"))?.slice(1);
  expect(await count()).toEqual([folder, "There is no video in it. Is it the right folder?"]);
  mkdirSync(join(folder, "Cowboy Bebop"));
  writeFileSync(join(folder, "Cowboy Bebop", "01.mkv"), "");
  expect(await count()).toEqual([folder, "1 video"]);
  writeFileSync(join(folder, "Cowboy Bebop", "02.mkv"), "");
  writeFileSync(join(folder, "Cowboy Bebop", "02.srt"), "");
  expect(await count()).toEqual([folder, "2 videos"]);
});

test("a site without a choice has its open steps in the list, with the open video proxy", async () => {
  const page = await htmlOf(operator.request("/admin"));
  const list = page.slice(page.indexOf("What needs you"));
  expect(list).toMatch(
    /Who may join is not chosen yet\.<\/span> <a [^>]*href="\/admin\/setup\?step=people#signUps"/,
  );
  expect(list).toContain(
    "Anybody may fetch films through the video proxy. To prevent this, set PROXY_ALLOWED_HOSTS",
  );
  expect(list).not.toContain("No media folder yet");
});

/** The step that home and the overview lead back to, both the same. */
async function findWayBack() {
  const [home, overview] = await Promise.all(["/", "/admin"].map((path) => htmlOf(operator.request(path))));
  const inHome = /href="([^"]*)"[^>]*>Finish setting up: ([^<]*)</.exec(home ?? "");
  const inList = /Finish setting up: ([^<]*)\.<\/span> <a [^>]*href="([^"]*)"/.exec(overview ?? "");
  expect(inHome?.slice(1)).toEqual(inList?.slice(1).reverse());
  return inHome?.slice(1).reverse();
}
const goOnFrom = async (step: string) =>
  (await operator.request("/admin/setup", { form: { intent: "next", step } })).headers.get("Location");

test("an operator who left the setup is led back to its step, until the last one is reached", async () => {
  expect(await findWayBack()).toBeUndefined();
  // The folder could not be chosen, so the operator set MEDIA_DIR and started the site again.
  await db.insert(siteSettings).values({ setupStep: "videos" });
  expect(await findWayBack()).toEqual(["step 2 of 5", "/admin/setup?step=found"]);
  expect(await htmlOf((await newMember()).request("/"))).not.toContain("Finish setting up");
  expect(await goOnFrom("people")).toBe("/admin/setup?step=watch");
  expect(await findWayBack()).toEqual(["step 2 of 5", "/admin/setup?step=found"]);
  expect(await goOnFrom("found")).toBe("/admin/setup?step=catalog");
  expect(await findWayBack()).toEqual(["step 3 of 5", "/admin/setup?step=catalog"]);
  await goOnFrom("catalog");
  expect(await findWayBack()).toEqual(["step 4 of 5", "/admin/setup?step=people"]);
  await save({});
  expect(await findWayBack()).toBeUndefined();
  await goOnFrom("found");
  expect(await findWayBack()).toBeUndefined();
});

test("whoever goes to the site from the last step is not led back", async () => {
  await db.update(siteSettings).set({ setupStep: "found" });
  expect(await goOnFrom("watch")).toBe("/");
  expect(await findWayBack()).toBeUndefined();
});

test("the operator's choice of who may join applies at once and after a restart", async () => {
  expect(chosen(await readPage())).toEqual(["invite", "yes"]);
  await expect(signUpMember()).rejects.toThrow("403");
  await save({ signUps: "open" });
  expect(chosen(await readPage())).toEqual(["open", "yes"]);
  await signUpMember();
  await loadSiteSettings();
  await signUpMember();
  await save({ signUps: "closed" });
  await expect(signUpMember()).rejects.toThrow("403");
});

test("after a choice, the step People still has one button to press next", async () => {
  const primary = async () => (await readPage()).match(/data-kind="primary"/g);
  await save({ signUps: "open" });
  expect(await primary()).toHaveLength(1);
});

test("the events say who changed which setting, from which value to which, and skip unchanged ones", async () => {
  await save({ signUps: "open" });
  await save({ signUps: "closed" });
  await save({ signUps: "closed" });
  await save({ visitors: "yes" });
  const changes = (await listEvents(100)).filter(({ kind }) => kind === "settings_changed");
  expect(changes.map(({ detail }) => detail).slice(0, 3)).toEqual([
    "Who may join: Everybody → Nobody",
    "Who may join: Nobody → Everybody",
    "Who may join: Everybody → Nobody",
  ]);
  const { email } = (await db.select().from(users).where(eq(users.id, operator.id)))[0] ?? {};
  expect(changes.map(({ actor, operatorEmail }) => [actor, operatorEmail])).toEqual(
    changes.map(() => ["operator", email]),
  );
  const page = await (await operator.request("/admin/events")).text();
  expect(page).toContain("Changed a setting of the site");
  expect(page).toContain("Who may join: Everybody → Nobody");
});

test("once visitors are shut out, they get the sign-in page at once, even for cached pages", async () => {
  const visitor = new Visitor();
  const statuses = async () => [
    (await visitor.request("/")).status,
    (await visitor.request("/browse")).status,
    (await visitor.request("/api/animes/full")).status,
  ];
  await visitor.request("/api/animes/full");
  expect(await statuses()).toEqual([200, 200, 200]);
  await save({ visitors: "no" });
  expect(await statuses()).toEqual([302, 302, 401]);
  expect((await operator.request("/api/animes/full")).status).toBe(200);
  expect((await visitor.request("/api/animes/full")).status).toBe(401);
  await save({ visitors: "yes" });
  expect(await statuses()).toEqual([200, 200, 200]);
});

test("the page says that FILMS=everyone shows visitors the videos", async () => {
  expect(await readPage()).toContain("and all of your videos, because of FILMS=everyone.");
});

test("another instance applies a change when it next reads the settings", async () => {
  await db.update(siteSettings).set({ visitors: "no" });
  expect(await loadSiteSettings()).toBe(true);
  expect((await new Visitor().request("/")).status).toBe(302);
  await db.update(siteSettings).set({ visitors: "yes" });
  expect(await loadSiteSettings()).toBe(true);
  expect(await loadSiteSettings()).toBe(false);
});

test("members and visitors cannot choose, and an unknown choice is refused", async () => {
  const member = await newMember();
  const form = { intent: "people", signUps: "open" };
  expect((await member.request("/admin/setup", { form })).status).toBe(403);
  expect((await new Visitor().request("/admin/setup", { form })).status).toBe(302);
  expect((await operator.request("/admin/setup", { form: { ...form, signUps: "code" } })).status).toBe(400);
  expect(chosen(await readPage())).toEqual(["closed", "yes"]);
});
