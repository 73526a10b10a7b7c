import type { APIRequestContext, Browser, BrowserContextOptions } from "playwright";
import { demonstrationId } from "#app/paths.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import type { Person } from "#tests/support/page-states.ts";
import { addOperator } from "#tests/support/site/command-line-tools.ts";

/** Fills a new site with the people of the pictures: a member with a list and a household, a newcomer, an operator. */

type State = NonNullable<BrowserContextOptions["storageState"]>;
export type People = { states: Record<Person, State | undefined>; ids: Record<string, string> };

const pin = "2580";

export async function makePeople(
  browser: Browser,
  site: { origin: string; dataDir: string },
): Promise<People> {
  addOperator(site, "operator@example.org", goodPassword);
  const open = async (path: string, data: object) => {
    const context = await browser.newContext({ baseURL: site.origin });
    await answered(context.request.post(path, { data: { password: goodPassword, ...data } }));
    return context;
  };
  const signIn = (email: string) => open("/api/auth/signin", { email });
  const [member, newcomer] = [
    await open("/api/auth/signup", { username: "Hana", email: "member@example.org" }),
    await open("/api/auth/signup", { username: "Newcomer", email: "newcomer@example.org" }),
  ];
  await fillList(member.request);
  const operator = await signIn("operator@example.org");
  const origin = { Origin: site.origin };
  for (const [name, accent, ceiling] of [
    ["Mio", "#16a34a", "pg"],
    ["Ren", "#d946ef", ""],
  ])
    await answered(
      member.request.post("/profiles/manage", {
        form: { name, accent, ceiling, pin } as never,
        headers: origin,
      }),
    );
  const listed = await answered(member.request.get("/api/user/profiles"));
  const { data } = (await listed.json()) as { data: { id: string; name: string }[] };
  const ids = new Map(data.map(({ id, name }) => [name, id]));
  const entered = async (name: string) => {
    const context = await signIn("member@example.org");
    const form = { profile: ids.get(name) ?? "", redirectTo: "/about/data" };
    await answered(context.request.post("/profiles", { form, headers: origin }));
    return context.storageState();
  };
  return {
    states: {
      stranger: undefined,
      visitor: undefined,
      member: await member.storageState(),
      newcomer: await newcomer.storageState(),
      operator: await operator.storageState(),
      child: await entered("Mio"),
      second: await entered("Ren"),
    },
    ids: { member: ids.get("Hana") ?? "", child: ids.get("Mio") ?? "" },
  };
}

const statuses = ["Watching", "Completed", "To Watch", "Collection"];

async function fillList(request: APIRequestContext) {
  const found = await answered(request.get("/api/animes/full?limit_count=60"));
  const { data } = (await found.json()) as { data: { mal_id: number }[] };
  const entries = data.map(({ mal_id }, index) => ({
    mal_id,
    type: statuses[index % statuses.length],
    progress: index % 9,
    score: index % 3 === 0 ? null : 5 + (index % 6),
    tags: index % 5 === 0 ? ["with friends"] : [],
  }));
  await answered(
    request.post("/api/user/watchList/import", { data: { format: "engawa-list", version: 1, entries } }),
  );
  for (const [ep, position] of [
    [1, 100],
    [2, 40],
  ])
    await answered(
      request.put("/api/user/progress", { data: { mal_id: demonstrationId, ep, position, duration: 100 } }),
    );
  for (const { mal_id } of data.slice(0, 3))
    await answered(request.post("/wishes", { form: { intent: "wish", id: mal_id } }));
}

async function answered(answer: ReturnType<APIRequestContext["get"]>) {
  const response = await answer;
  if (!response.ok())
    throw new Error(`${response.url()} answered ${response.status()}: ${await response.text()}`);
  return response;
}
