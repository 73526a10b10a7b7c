import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { listFeeds, makeAllDue, readDueFeeds } from "#app/domain/feeds/feeds.server.ts";
import { runText } from "#app/domain/feeds/feeds.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { exitAbove } from "#app/platform/process/memory-guard.ts";
import { defineTool, type FlagsOf, type Streams } from "#app/platform/process/run-tool.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run catalog:feeds`: reads the feeds that are due. A running site starts it by itself. */

const usage = `Usage: ${commandText("catalog:feeds", "[--now]")}

Reads the site's feeds that are due and prints what came of each feed. A running site does the same by itself.

  --now        read all feeds now
  --for-site   end with the process that started this one; the site starts it so
  --help       print this text

Exit codes: 0 every feed was read, 1 a feed could not be read (the text says why), 2 wrong arguments.
`;

const options = { now: { type: "boolean" }, "for-site": { type: "boolean" } } as const;

async function run(_words: string[], flags: FlagsOf<typeof options>, { stdout }: Streams): Promise<number> {
  const isForSite = flags["for-site"] ?? false;
  if (isForSite) limitAsReaderOfSite();
  await migrateWithBackup();
  if (flags.now) await makeAllDue();
  await readDueFeeds();
  const feeds = await listFeeds();
  const now = new Date();
  for (const { name, runs } of feeds)
    stdout.write(`${name}\n  ${runs[0] ? runText(runs[0], now) : "Not read yet"}\n`);
  if (feeds.length === 0) stdout.write("The site has no feed.\n");
  return feeds.some(({ failures }) => failures > 0) && !isForSite ? 1 : 0;
}

const maxMemoryBytes = mebibytes(400);

/** Exits together with the site that started this process, and when it uses too much memory. */
function limitAsReaderOfSite() {
  process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
  exitAbove(maxMemoryBytes, seconds(0.2));
}

export const tool = defineTool({ usage, options, run, ...usesDatabase });
