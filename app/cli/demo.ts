import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { done } from "#app/domain/errors.ts";
import { editList, recordSearch, reportProgress } from "#app/domain/library/library.server.ts";
import { createAccount, generatePassword } from "#app/domain/sign-in/sign-in.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { demonstrationId } from "#app/paths.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { defineTool } from "#app/platform/process/run-tool.server.ts";
import { hours, seconds } from "#app/platform/units.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run demo`: creates a member with sample data for trying out the site. */

const usage = `Usage: ${commandText("demo", "[options]")}

Creates an account with a watch list, a half-watched film and a history. Prints its email and a random password.
To delete the account again: ${commandText("user", "delete EMAIL --yes")}

  --json   print JSON          --help   this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

/** Popular titles of the starter catalog. */
const list = [
  { malId: demonstrationId, type: "Watching", progress: 1, score: null },
  { malId: 1, type: "Completed", progress: 26, score: 9 },
  { malId: 21, type: "Watching", progress: 12, score: null },
  { malId: 5114, type: "To Watch", progress: 0, score: null },
] as const;

async function run() {
  await migrateWithBackup();
  await seedStarterCatalog();
  const password = generatePassword();
  const email = `demo-${Date.now().toString(36)}@example.org`;
  const created = await createAccount({ email, username: "Demo", password });
  if (!created.ok) return created;
  await addSampleData(created.value.id);
  return done({ text: `Sign in as ${email}\nPassword: ${password}`, json: { email, password } });
}

async function addSampleData(userId: string) {
  for (const entry of list) await editList(userId, { kind: "save", ...entry }, anybody);
  const now = Date.now();
  const film = { malId: demonstrationId, duration: 126 };
  await reportProgress(
    userId,
    { ...film, episode: 1, position: 124, at: new Date(now - hours(20)) },
    anybody,
  );
  await reportProgress(userId, { ...film, episode: 2, position: 47, at: new Date(now - hours(1)) }, anybody);
  for (const query of ["porch", "cowboy"]) await recordSearch(userId, query, new Date(now - seconds(90)));
}

const options = { json: { type: "boolean" } } as const;
export const tool = defineTool({ usage, options, run, ...usesDatabase });
