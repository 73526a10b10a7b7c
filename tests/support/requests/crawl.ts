import { marker } from "#tests/support/requests/planted-titles.ts";
import { origin } from "#tests/support/site/in-process.ts";

/** Requests all URLs that answers contain, like an attacker who looks for restricted content. */

type Asks = { request(path: string): Promise<Response> };
type Crawl = { asked: number; naming: string[]; addresses: string[] };

/** Follows each URL of this site in the answers once. A name counts as leaked only if the request did not contain it. */
export async function crawl(browser: Asks, from: readonly string[], { depth = 2 } = {}): Promise<Crawl> {
  const known = new Set(from);
  const naming: string[] = [];
  let asked = 0;
  for (let [level, next] = [0, [...known]]; next.length > 0 && level <= depth; level++) {
    const found = new Set<string>();
    for (const path of next) {
      const answer = await browser.request(path);
      asked++;
      const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
      if (text.toLowerCase().includes(marker) && !path.includes(marker)) naming.push(path);
      for (const address of addressesIn(text))
        if (!known.has(address) && known.size < 1500) found.add(address);
    }
    for (const address of found) known.add(address);
    next = [...found];
  }
  return { asked, naming, addresses: [...known] };
}

const addressesIn = (text: string): string[] => {
  const plain = text.replaceAll("&amp;", "&").replaceAll("\\u0026", "&").replaceAll(origin, "");
  return [...plain.matchAll(/["'(\s,](\/[a-z0-9][^"'\s)\\,<>]*)/gi)]
    .map(([, path = ""]) => path)
    .filter((path) => !/^\/(?:assets|fonts|api\/auth|profiles|signin|settings)\b/.test(path));
};
