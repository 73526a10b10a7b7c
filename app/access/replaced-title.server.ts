import { redirect } from "react-router";
import { findReplacement } from "#app/domain/catalog-editing/catalog-editing.server.ts";

/** Redirects from the address of a local title to the title that replaced it. */
export async function redirectIfReplaced(malId: number, pathOf: (malId: number) => string): Promise<void> {
  const replacement = await findReplacement(malId);
  if (replacement !== null) throw redirect(pathOf(replacement), 301);
}
