import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { log } from "#app/platform/log.server.ts";
import { db } from "#db/client.server.ts";
import { seeds } from "#db/schema/catalog-state.ts";
import { importRecords } from "./import.server.ts";
import { readRecords } from "./read-source.server.ts";

const builtFolder = new URL("./starter-catalog/", import.meta.url);
/** Files and not modules, whose text would stay in the server's memory. The build copies them beside this chunk. */
const folder = existsSync(builtFolder)
  ? builtFolder
  : new URL("../../../db/starter-catalog/", import.meta.url);
const name = "starter-catalog";
/** Raise it to import unchanged files again. Version 2 also records which texts are the starter catalog's own. */
const importVersion = "2";

/**
 * Imports the starter catalog, once for each version of its files. Returns false if this version is already in the
 * database. Two processes that start together both import it, with the same result.
 */
export async function seedStarterCatalog(): Promise<boolean> {
  const names = (await readdir(folder)).filter((file) => file.endsWith(".ndjson")).sort();
  const texts = await Promise.all(names.map((file) => readFile(new URL(file, folder), "utf8")));
  const digest = createHash("sha256").update(importVersion).update(texts.join("\0")).digest("hex");
  const [known] = await db.select().from(seeds).where(eq(seeds.name, name));
  if (known?.digest === digest) return false;
  log.info("importing the starter catalog");
  await importRecords(readRecords(concatenate(texts)), { fillOnly: true });
  const seededAt = new Date();
  await db
    .insert(seeds)
    .values({ name, digest, seededAt })
    .onConflictDoUpdate({ target: seeds.name, set: { digest, seededAt } });
  return true;
}

async function* concatenate(texts: readonly string[]) {
  for (const text of texts) yield `${text}\n`;
}
