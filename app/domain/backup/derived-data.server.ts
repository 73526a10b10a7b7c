import { fillTitleKeys, numberFirstTags } from "#app/domain/catalog-import/catalog-import.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";

/** Computes the data that follows from other data, after a migration or a restored backup has changed the database. */
export async function renewDerivedData(): Promise<void> {
  await fillTitleKeys();
  await numberFirstTags();
  await renewFranchises();
}
