import { findRootsTrouble, hasFilmRoots } from "#app/domain/films/films.server.ts";
import { db } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";
import { type SetupStep, stepAfter } from "./setup.ts";

/** How far the first operator has come with the setup. It begins with the operator's account. */

/** Null if nothing is left to do, or if the site never began the setup. */
export async function findOpenSetupStep(): Promise<SetupStep | null> {
  const [row] = await db.select({ step: siteSettings.setupStep }).from(siteSettings);
  const step = row?.step ?? null;
  // MEDIA_DIR sets the folder at a restart of the site, so nobody has pressed the button of this step.
  const hasFolder = step === "videos" && hasFilmRoots() && (await findRootsTrouble()) === null;
  return hasFolder ? "found" : step;
}

/**
 * Opens the step after `step`. The last step asks for nothing, so it ends the setup when it is reached, and when it is
 * left: an operator may jump to it over the others. Other steps that were opened out of turn change nothing.
 */
export async function passSetupStep(step: SetupStep): Promise<void> {
  if (step !== "watch" && step !== (await findOpenSetupStep())) return;
  const next = stepAfter(step);
  await db.update(siteSettings).set({ setupStep: next === undefined || next === "watch" ? null : next });
}
