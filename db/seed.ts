import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { log } from "#app/platform/log.server.ts";
import { db } from "./client.server.ts";
import { seeds } from "./schema/catalog.ts";

/** Fills the database with the starter catalog, once for each version of its files. */

const files = import.meta.glob<string>("./starter-catalog/*.ndjson", { query: "?raw", import: "default" });
const name = "starter-catalog";

/** What reads them is the catalog's own import, handed in because this layer does not know the domain. */
type Load = (chunks: AsyncIterable<string>) => Promise<unknown>;

/** True when it had something to do. Two processes at once do the same work twice, with the same result. */
export async function seedStarterCatalog(load: Load): Promise<boolean> {
  const texts = await Promise.all(
    Object.entries(files)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, read]) => read()),
  );
  const digest = createHash("sha256").update(texts.join("\0")).digest("hex");
  const [known] = await db.select().from(seeds).where(eq(seeds.name, name));
  if (known?.digest === digest) return false;
  log.info("filling in the starter catalog");
  await load(oneAfterAnother(texts));
  const seededAt = new Date();
  await db
    .insert(seeds)
    .values({ name, digest, seededAt })
    .onConflictDoUpdate({ target: seeds.name, set: { digest, seededAt } });
  return true;
}

async function* oneAfterAnother(texts: readonly string[]) {
  for (const text of texts) yield `${text}\n`;
}
