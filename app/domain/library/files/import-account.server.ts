import { sql } from "drizzle-orm";
import { type FoundSession, lockAccount } from "#app/domain/accounts/accounts.server.ts";
import {
  defaultPreferences,
  isOwner,
  normalizeUsername,
  type SessionUser,
} from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import {
  createProfile,
  hasPin,
  listChildren,
  listProfiles,
  markTitlesChosen,
} from "#app/domain/household/household.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { filterRows, noRows, type Rows } from "#app/platform/process/stored-rows.ts";
import { withTransaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { householdTitles as storedVerdicts } from "#db/schema/library.ts";
import type { FileVerdict, UploadedAccount, UploadedPerson, UploadedProfile } from "./account-file.ts";
import {
  importPerson,
  type PersonImportOptions,
  type PersonImportReport,
  type SkippedValue,
} from "./import-person.server.ts";
import { compareNames } from "./named-local-titles.server.ts";
import { inPiecesOfTitles, personRecordsOf } from "./pieces-of-file.server.ts";

/**
 * Imports an account file into the profile that uploads it, and for the owner also into the household. Existing
 * profiles of the household keep their kind and their ceiling, so that a file never lets a child see more. Files
 * contain no PINs.
 */

type ImportedProfile = {
  name: string;
  isChild: boolean;
  /** False if the household already had a profile with this name. */
  isNew: boolean;
  /** Null if the file has only the profile's name, which is the case for grown-ups. */
  report: PersonImportReport | null;
};
type AccountImportReport = PersonImportReport & { householdTitles: number; profiles: ImportedProfile[] };
type ImportOptions = PersonImportOptions & { actor: Actor };

export async function importAccount(
  session: FoundSession,
  file: UploadedAccount,
  options: ImportOptions,
): Promise<AccountImportReport> {
  const { user } = session;
  const report = await importPerson(user, file, options);
  await recordEvent({ kind: "account_imported", userId: user.accountId, actor: options.actor });
  if (!isOwner(user)) {
    const why = "only the first profile of an account can add others";
    const skipped = file.household.length === 0 ? [] : [{ field: "profiles", why }];
    return { ...report, householdTitles: 0, profiles: [], skipped: [...report.skipped, ...skipped] };
  }
  const isSame = await compareNames(file.localTitles);
  let hasUnnamed = false;
  // Without its name, the number of a local title could allow children another title.
  const mayDecide = ({ malId, verdict }: FileVerdict) => {
    if (malId < firstLocalMalId || verdict === "blocked" || isSame.get(malId)) return true;
    hasUnnamed ||= !isSame.has(malId);
    return false;
  };
  const householdTitles = await addVerdicts(user.id, filterRows(file.householdTitles, mayDecide));
  const { profiles, skipped } = await addHousehold(session, file.household, options);
  const leftOut = hasUnnamed ? [unnamedTitles] : [];
  return { ...report, householdTitles, profiles, skipped: [...report.skipped, ...leftOut, ...skipped] };
}

const unnamedTitles = {
  field: "household_titles",
  why: "some left out: the file does not name the local titles that they allow",
};

async function addHousehold(
  session: FoundSession,
  household: readonly UploadedProfile[],
  options: ImportOptions,
) {
  const { user: owner } = session;
  const profiles: ImportedProfile[] = [];
  const skipped: SkippedValue[] = [];
  const others = (await listProfiles(owner.accountId)).filter((one) => !one.isOwner);
  for (const imported of household) {
    const name = normalizeUsername(imported.name);
    // Two profiles of a household may have the same name, so each profile is matched at most once.
    const at = others.findIndex((one) => one.name === name);
    const known = at === -1 ? undefined : others.splice(at, 1)[0];
    const isChild = imported.ceiling !== null;
    const entered = known
      ? enterKnown(known, imported)
      : await createProfileOf(session, { ...imported, name }, options.actor);
    if (!entered.ok) {
      skipped.push({ field: `profiles/${name}`, why: entered.message ?? "could not be saved" });
      continue;
    }
    const isNew = known === undefined;
    const report = await importChild(owner, { id: entered.value.id, isNew }, imported.person, options);
    profiles.push({ name, isChild, isNew, report });
    for (const { field, why } of report?.skipped ?? [])
      skipped.push({ field: `children/${name}/${field}`, why });
  }
  return { profiles, skipped };
}

function enterKnown(
  { id, ceiling }: { id: string; ceiling: string | null },
  imported: UploadedProfile,
): Outcome<{ id: string }> {
  if ((ceiling === null) === (imported.ceiling === null)) return done({ id });
  const [kind, other] = ceiling === null ? ["a grown-up", "a child"] : ["a child", "a grown-up"];
  return refuse("conflict", `is ${kind} here and ${other} in the file; a file does not change that`);
}

async function createProfileOf(
  session: FoundSession,
  { name, ceiling, person }: UploadedProfile,
  actor: Actor,
): Promise<Outcome<{ id: string }>> {
  const { user: owner } = session;
  if (ceiling !== null && !owner.isBesideChild && !(await hasPin(owner.id)))
    return refuse("conflict", "is a child; set a PIN for your own profile first, then import the file again");
  const accentColor = person?.preferences.accentColor ?? defaultPreferences.accentColor;
  return createProfile(session, { name, accentColor, ceiling, pin: "" }, actor);
}

type EnteredProfile = { id: string; isNew: boolean };

async function importChild(
  owner: SessionUser,
  { id, isNew }: EnteredProfile,
  person: UploadedPerson | null,
  options: ImportOptions,
): Promise<PersonImportReport | null> {
  const child = person && (await listChildren(owner.accountId)).find((one) => one.id === id);
  return child ? importPerson(child, ofChild(person), { ...options, isNewProfile: isNew }) : null;
}

/** Drops the data that a child's profile cannot have. */
const ofChild = (person: UploadedPerson): UploadedPerson => ({
  ...person,
  profile: { ...person.profile, name: null, lastName: null, birthday: null, gender: null },
  searches: noRows,
});

/** Only the owner of a household decides for its children. Existing decisions of the household stay as they are. */
const addVerdicts = (userId: string, verdicts: Rows<FileVerdict>) =>
  withTransaction(async (transaction) => {
    // A replacement of a local title locks its members before the title. The opposite order would deadlock.
    await lockAccount(transaction, userId);
    return inPiecesOfTitles(transaction, verdicts, async (piece) => {
      const added = await transaction.execute(sql`
        insert into ${storedVerdicts} (user_id, mal_id, verdict, chosen_at)
        select distinct on (mal_id) ${userId}::uuid, mal_id, verdict, "chosenAt"
        from jsonb_to_recordset(${personRecordsOf(piece)})
          as imported("malId" int, verdict text, "chosenAt" timestamptz)
          join ${titles} on mal_id = "malId"
        order by mal_id, verdict desc
        on conflict (user_id, mal_id) do nothing
        returning 1`);
      await markTitlesChosen(transaction, userId);
      return added;
    });
  });
