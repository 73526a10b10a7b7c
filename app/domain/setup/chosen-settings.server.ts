import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { type ChosenSettings, takeChosenSettings } from "#app/platform/site-settings.server.ts";
import { db } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site-settings.ts";

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

const settingColumns = {
  signUps: siteSettings.signUps,
  visitors: siteSettings.visitors,
  details: siteSettings.details,
} satisfies Record<keyof ChosenSettings, unknown>;

/** Returns whether a setting has changed. */
async function readSiteSettings(): Promise<boolean> {
  const [row] = await db.select(settingColumns).from(siteSettings);
  return takeChosenSettings(row ?? { signUps: null, visitors: null, details: null });
}

type Change = { [Name in keyof ChosenSettings]?: ChosenSettings[Name] | undefined };

/**
 * Saves the settings. Every cached answer may depend on them, so saving counts as a change of the catalog, of which all
 * instances are notified.
 */
export async function saveSiteSettings(change: Change, actor: Actor): Promise<void> {
  const values = toColumns(change);
  if (Object.keys(values).length === 0) return;
  await changeCatalog([], async (transaction) => {
    await transaction.insert(siteSettings).values({}).onConflictDoNothing();
    const [before] = await transaction.select(settingColumns).from(siteSettings).for("update");
    for (const detail of changeTexts(values, before ?? {}))
      await recordEvent({ kind: "settings_changed", actor, detail }, transaction);
    await transaction
      .insert(siteSettings)
      .values(values)
      .onConflictDoUpdate({ target: siteSettings.only, set: values });
  });
  await loadSiteSettings();
}

/** `code` requires an environment variable with the code, so it cannot be chosen on the site. */
function toColumns({ signUps, visitors, details }: Change) {
  return {
    ...(signUps !== undefined && signUps !== "code" && { signUps }),
    ...(visitors !== undefined && { visitors }),
    ...(details !== undefined && { details }),
  };
}

type Columns = ReturnType<typeof toColumns>;
const settingLabels = {
  signUps: "Who may join",
  visitors: "What visitors see",
  details: "Details of titles",
} as const satisfies Record<keyof ChosenSettings, string>;
const settingNames = Object.keys(settingLabels) as (keyof ChosenSettings)[];
const settingText = (value: string | boolean | null | undefined) =>
  typeof value === "boolean" ? (value ? "on" : "off") : (value ?? "not chosen");

/** A line for each changed setting, with the values before and after. */
const changeTexts = (values: Columns, before: Partial<ChosenSettings>): string[] =>
  settingNames
    .filter((name) => values[name] !== undefined && values[name] !== before[name])
    .map((name) => `${settingLabels[name]}: ${settingText(before[name])} → ${settingText(values[name])}`);
