import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { getSignUpState } from "#app/domain/joining/joining.server.ts";
import {
  type ChosenSettings,
  nothingChosen,
  takeChosenSettings,
} from "#app/platform/site-settings.server.ts";
import { db } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";
import { settingLabels, signUpTexts, visitorTexts } from "./setup.ts";

let lastLoad: Promise<unknown> = Promise.resolve();

/**
 * Loads the operators' choices and returns whether one has changed. Reads run one after the other, so that an older
 * result never replaces a newer one.
 */
export function loadSiteSettings(): Promise<boolean> {
  const load = lastLoad.then(readSiteSettings, readSiteSettings);
  lastLoad = load;
  return load;
}

const { signUps, visitors, details } = siteSettings;
const settingColumns = { signUps, visitors, details } satisfies Record<keyof ChosenSettings, unknown>;

/** Returns whether a setting has changed. */
async function readSiteSettings(): Promise<boolean> {
  const [row] = await db.select(settingColumns).from(siteSettings);
  return takeChosenSettings(row ?? nothingChosen);
}

/** An absent setting stays. `code` requires an environment variable with the code, so it cannot be chosen here. */
type Change = { [Name in keyof ChosenSettings]?: Exclude<ChosenSettings[Name], "code"> | undefined };

/**
 * Saves the settings. Every cached answer may depend on them, so saving counts as a change of the catalog, of which all
 * instances are notified.
 */
export async function saveSiteSettings(change: Change, actor: Actor): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return;
  const defaults = await getDefaults();
  await changeCatalog([], async (transaction) => {
    await transaction.insert(siteSettings).values({}).onConflictDoNothing();
    const [before] = await transaction.select(settingColumns).from(siteSettings).for("update");
    for (const detail of changeTexts({ ...nothingChosen, ...before }, change, defaults))
      await recordEvent({ kind: "settings_changed", actor, detail }, transaction);
    await transaction.update(siteSettings).set(change);
  });
  await loadSiteSettings();
}

/**
 * The settings that apply while nothing is chosen. In local mode sign-up is open to this machine only, which is none of
 * the choices.
 */
async function getDefaults(): Promise<ChosenSettings> {
  const { mode } = await getSignUpState();
  return { signUps: mode === "open-here" ? null : mode, visitors: "yes", details: false };
}

/**
 * A line for each setting that has another effect than before, with the values before and after in the words of the page
 * Setup.
 */
const changeTexts = (before: ChosenSettings, change: Change, defaults: ChosenSettings): string[] =>
  (Object.keys(settingLabels) as (keyof ChosenSettings)[])
    .filter((name) => change[name] !== undefined && change[name] !== (before[name] ?? defaults[name]))
    .map((name) => `${settingLabels[name]}: ${settingText(before, name)} → ${settingText(change, name)}`);

function settingText(settings: Change | ChosenSettings, name: keyof ChosenSettings): string {
  const value = settings[name];
  if (value === null || value === undefined) return "not chosen";
  if (typeof value === "boolean") return value ? "on" : "off";
  return { ...signUpTexts, ...visitorTexts }[value];
}
