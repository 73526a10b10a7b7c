import { marker } from "#tests/support/requests/planted-titles.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** Requests all URLs that answers contain, like an attacker who looks for restricted content. */

type Asks = { request(path: string): Promise<Response> };
type Crawl = { asked: number; naming: string[]; addresses: string[] };

/** Follows each URL of this site in the answers once, and one width of each poster. A name counts as leaked only if the request did not contain it. */
export async function crawl(browser: Asks, from: readonly string[], { depth = 2 } = {}): Promise<Crawl> {
  const known = new Map(from.map((path) => [resourceOf(path), path]));
  const naming: string[] = [];
  let asked = 0;
  for (let [level, next] = [0, [...known.values()]]; next.length > 0 && level <= depth; level++) {
    const found = new Map<string, string>();
    for (const path of next) {
      const answer = await browser.request(path);
      asked++;
      const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
      if (text.toLowerCase().includes(marker) && !path.includes(marker)) naming.push(path);
      if (/^(?:image|video|audio|font)\//.test(answer.headers.get("content-type") ?? "")) continue;
      for (const address of addressesIn(text)) {
        const resource = resourceOf(address);
        if (!known.has(resource) && !found.has(resource) && known.size < 1500) found.set(resource, address);
      }
    }
    for (const [resource, address] of found) known.set(resource, address);
    next = [...found.values()];
  }
  return { asked, naming, addresses: [...known.values()] };
}

/** All widths of a poster count as one resource, because they have the same access. */
const resourceOf = (address: string) =>
  address.replace(/#.*$/, "").replace(/^(\/poster\/[^?]*)\?w=\d+$/, "$1");

const addressesIn = (text: string): string[] => {
  const plain = text.replaceAll("&amp;", "&").replaceAll("\\u0026", "&").replaceAll(origin, "");
  return [...plain.matchAll(/["'(\s,](\/[a-z0-9][^"'\s)\\,<>]*)/gi)]
    .map(([, path = ""]) => path)
    .filter((path) => !/^\/(?:assets|fonts|api\/auth|profiles|signin|settings)\b/.test(path));
};
