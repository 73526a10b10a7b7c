import { RouterContextProvider } from "react-router";
import { expect, test } from "vitest";

/** Few pages of lists are made at once. A small site can make the fewest. */

process.env.MEMORY = "512";
const { listResponse } = await import("#app/http/endpoint/long-answers.server.ts");
const { answerStateContext } = await import("#app/http/context.server.ts");
const { currentClient, workFor } = await import("#app/platform/limits/current-client.server.ts");

type Page = readonly string[] | null;

/** Each account is at an address of its own. */
function listOf(account: string, ip: string, nextPage: () => Promise<Page>) {
  const context = new RouterContextProvider();
  context.set(answerStateContext, {});
  const request = new Request("http://engawa.test/list");
  return workFor(ip, () => {
    Object.assign(currentClient()!, { account });
    return listResponse(nextPage, (row) => row, { account, request, context });
  });
}

test.each([
  { name: "one account from two addresses", addresses: ["192.0.2.1", "192.0.2.2"], accounts: ["slow"] },
  { name: "two accounts at one address", addresses: ["192.0.2.3"], accounts: ["one", "two"] },
])(
  "while the lists of $name wait for their pages, another client gets its list",
  async ({ addresses, accounts }) => {
    const pages: ((page: Page) => void)[] = [];
    const slow = addresses.flatMap((ip) =>
      accounts.map((account) => listOf(account, ip, () => new Promise((resolve) => pages.push(resolve)))),
    );
    expect((await listOf("quick", "192.0.2.9", async () => null)).status).toBe(200);
    expect(pages.length).toBe(1);
    while (pages.length < slow.length) {
      pages.at(-1)?.(null);
      await new Promise(setImmediate);
    }
    pages.at(-1)?.(null);
    for (const { status } of await Promise.all(slow)) expect(status).toBe(200);
  },
);
