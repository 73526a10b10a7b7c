import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { type SourceType, sourceTypes } from "#app/domain/catalog/catalog.ts";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { commandLine } from "#app/domain/events/events.server.ts";
import { countsText, findFolderInRoots, listFilmRoots, noCounts } from "#app/domain/films/films.server.ts";
import { passedOverTexts, type ScanCounts } from "#app/domain/films/films.ts";
import {
  createSource,
  deleteSource,
  listSources,
  playableUrl,
  playableUrlOf,
  proposeSources,
  type RegisteredSource,
  updateSourceHeaders,
} from "#app/domain/playback/playback.server.ts";
import { type HeaderChange, listSourceHeaders, type ShownHeader } from "#app/domain/proxy/proxy.server.ts";
import { sourceHeaderNames } from "#app/domain/proxy/proxy.ts";
import { type FilmProposal, runRequestedScans, scanLibrary } from "#app/domain/scanning/scanning.server.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { countText } from "#app/platform/count-text.ts";
import { CannotStart } from "#app/platform/process/cannot-start.server.ts";
import { sendBeats } from "#app/platform/process/child-life.server.ts";
import { exitAbove } from "#app/platform/process/memory-guard.ts";
import {
  defineTool,
  type FlagsOf,
  type Streams,
  type ToolAnswer,
  UsageError,
} from "#app/platform/process/run-tool.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import { isUuid } from "#app/platform/uuid.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run sources -- COMMAND`: manages the sources of episodes. The server can be running or stopped. */

const usage = `Usage: ${commandText("sources", "COMMAND [options]")}

  scan FOLDER               find the title and episode of each film in a folder of MEDIA_DIR by its file name,
                            and register the certain ones; --dry-run registers nothing.
                            --for-site: the site starts it so, for what waits for a scan
  list [MAL_ID [EPISODE]]   list the registered sources
  add MAL_ID EPISODE URL    register a source: http(s)://…, /…, or media:PATH for a file in MEDIA_DIR
                            --type ${sourceTypes.join("|")}, --label TEXT, --language CODE,
                            and the options of headers
  headers ID                set the headers that the source's own host gets, such as --header "Referer: https://…"
                            (several times if needed; one without a value is removed), and list which are set.
                            --header-file FILE reads such lines, --header-file - reads them from standard input,
                            so that a Cookie or Authorization is in no history of commands
  remove ID                 delete a source, by the id that list prints
  address URL               print the URL that a player loads for a source, signed with PROXY_SIGNING_SECRET
  address ID                the same for a source with headers; it can be used for two to four days

  --json                    print the result as JSON
  --help                    print this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = {
  "dry-run": { type: "boolean" },
  "for-site": { type: "boolean" },
  json: { type: "boolean" },
  type: { type: "string" },
  label: { type: "string" },
  language: { type: "string" },
  header: { type: "string", multiple: true },
  "header-file": { type: "string" },
} as const;

type Flags = FlagsOf<typeof options>;
type Command = (words: string[], flags: Flags, streams: Streams) => Promise<Outcome<ToolAnswer>>;

const commands: Record<string, Command> = {
  async scan([folder], flags, { stderr }) {
    if (folder === undefined) throw new UsageError();
    const inside = await findFolderInRoots(resolve(folder));
    if (!inside.ok) return inside;
    const isDryRun = flags["dry-run"] ?? false;
    if (!isDryRun && (await listFilmRoots()).length === 0)
      return refuse(
        "invalid",
        "The site has no folder of films, so these could not be played. Choose one on the page Media folder, or set MEDIA_DIR",
      );
    const scanned = isDryRun ? done(noCounts) : await scan(inside.value, stderr);
    if (!scanned.ok) return scanned;
    const proposed = await proposeSources(resolve(folder));
    if (!proposed.ok) return proposed;
    const { registered: added } = scanned.value;
    const { passedOver, passedOverMore } = proposed.value;
    const leftOut = new Set(passedOver.map(({ path }) => path));
    const proposals = proposed.value.proposals.filter(({ path }) => !leftOut.has(path));
    return done({
      text: [
        ...scanLines(proposals, isDryRun, added),
        ...passedOver.map(({ path, reason }) => `  passed over    ${path}: ${passedOverTexts[reason]}`),
        ...(passedOverMore > 0 ? [`  passed over    ${passedOverMore} more`] : []),
      ].join("\n"),
      json: { added, proposals, passedOver, passedOverMore },
    });
  },

  async list([id, episode]) {
    if (![id, episode].every((word) => word === undefined || /^\d{1,9}$/.test(word))) throw new UsageError();
    const sources = await listSources({
      ...(id !== undefined && { malId: Number(id) }),
      ...(episode !== undefined && { episode: Number(episode) }),
    });
    const headers = await listSourceHeaders();
    const listed = sources.map((source) => ({
      ...source,
      headers: (headers.get(source.id) ?? []).map(({ name }) => name),
    }));
    return done({ text: listed.map(sourceText).join("\n") || "No sources are registered.", json: listed });
  },

  async add([id, episode, url], flags, streams) {
    const { type, label, language } = flags;
    if (id === undefined || episode === undefined || url === undefined) throw new UsageError();
    if (type !== undefined && !sourceTypes.includes(type as SourceType)) throw new UsageError();
    const source = {
      malId: Number(id),
      episode: Number(episode),
      url,
      type: type as SourceType | undefined,
      label,
      language,
    };
    const outcome = await createSource(source, await readHeaders(flags, streams));
    if (!outcome.ok) return outcome;
    const { id: sourceId, isNew } = outcome.value;
    return done({ text: `${isNew ? "Registered" : "Changed"} ${sourceId}`, json: outcome.value });
  },

  async headers([id], flags, streams) {
    if (id === undefined) throw new UsageError();
    const outcome = await updateSourceHeaders(id, await readHeaders(flags, streams), commandLine);
    if (!outcome.ok) return outcome;
    const headers = (await listSourceHeaders()).get(id) ?? [];
    return done({ text: headers.map(headerText).join("\n") || "The source has no headers.", json: headers });
  },

  async remove([id]) {
    if (id === undefined) throw new UsageError();
    const outcome = await deleteSource(id);
    return outcome.ok ? done({ text: "Removed", json: { removed: id } }) : outcome;
  },

  async address([url]) {
    if (url === undefined) throw new UsageError();
    const source = isUuid(url) ? (await listSources()).find(({ id }) => id === url) : undefined;
    if (isUuid(url) && !source) return refuse("not_found", "No such source");
    const playable = source ? await playableUrlOf(source) : playableUrl(url);
    return done({ text: playable, json: { address: playable } });
  },
};

/** A second id of `remove` must not be passed over in silence. */
const maxWords: Record<string, number> = { scan: 1, list: 2, add: 3, headers: 1, remove: 1, address: 1 };

async function scan(folder: string, stderr: Streams["stderr"]): Promise<Outcome<ScanCounts>> {
  const onProgress = (counts: ScanCounts) => void stderr.write(`${countsText(counts)}\n`);
  const onTrouble = (text: string) => void stderr.write(`${text}\n`);
  const scanNow = () =>
    scanLibrary({ folder, reason: "command" }, { isPatient: false, onProgress, onTrouble });
  let scanned = await scanNow();
  if (!scanned) stderr.write("Another scan of films is under way. This one begins when it has ended.\n");
  while (!scanned) {
    await sleep(waitForOtherMs);
    scanned = await scanNow();
  }
  return scanned;
}

const waitForOtherMs = seconds(0.5);

type ListedSource = RegisteredSource & { headers: readonly string[] };

function sourceText({ id, malId, title, episode, type, url, label, language, headers }: ListedSource) {
  const kind = [type, language, label].filter(Boolean).join(" ");
  const headersText = headers.length === 0 ? "" : `  (headers: ${headers.join(", ")})`;
  return `${id}  ${malId} ${title}, episode ${episode}  ${kind}  ${url}${headersText}`;
}

const headerText = ({ name, value, isReadable }: ShownHeader) =>
  isReadable
    ? `${name}: ${value ?? "(set, not shown)"}`
    : `${name}: (set with another SESSION_SECRET, not sent; set it again)`;

/** Reads lines such as `Referer: https://example.org/`. An empty value removes the header. */
async function readHeaders(flags: Flags, { stdin }: Streams): Promise<HeaderChange> {
  const { header = [], "header-file": file } = flags;
  const typed = file === undefined ? "" : await readInput(file, stdin);
  const lines = typed.split("\n");
  const change: HeaderChange = {};
  for (const line of [...header, ...lines.filter((one) => one.trim() !== "")]) {
    const [, given = "", value = ""] = /^\s*([\w-]+)\s*:(.*)$/s.exec(line) ?? [];
    const name = sourceHeaderNames.find((one) => one.toLowerCase() === given.toLowerCase());
    // The message must not repeat the line, because it may contain a secret.
    if (!name)
      throw new UsageError(`A header must be NAME: VALUE, with one of ${sourceHeaderNames.join(", ")}.`);
    change[name] = value.trim() || null;
  }
  return change;
}

const readInput = (file: string, stdin: Streams["stdin"]): Promise<string> =>
  readText(file === "-" ? stdin : createReadStream(file)).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CannotStart(`${file} cannot be read (${code})`);
  });

const stateLabels: Record<FilmProposal["state"], string> = {
  new: "new",
  registered: "registered",
  unsure: "unsure",
  unmatched: "no title found",
  extra: "no episode",
};

function scanLines(proposals: readonly FilmProposal[], isDryRun: boolean, added: number): string[] {
  const lines = proposals.map((proposal) => {
    const { state, path, match, title, season, episode, lastEpisode, isSpecial, reasons } = proposal;
    const readTitle = `${title || "?"}${season === null ? "" : `, season ${season}`}`;
    const titleText = match ? `${match.malId} ${match.title}` : readTitle;
    const rangeText = episode === lastEpisode ? "" : ` to ${lastEpisode}`;
    const numberText = episode === null ? "" : `, episode ${episode}${rangeText}`;
    const episodeText = isSpecial ? ", a special" : numberText;
    const reasonText = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
    return `  ${stateLabels[state].padEnd(14)}  ${path}  ->  ${titleText}${episodeText}${reasonText}`;
  });
  const sure = proposals.filter(({ state }) => state === "new").length;
  const unclear = proposals.filter(({ state }) => state === "unsure" || state === "unmatched").length;
  return [
    ...lines,
    ...(proposals.length === 0 ? ["No films were found."] : []),
    isDryRun ? `${sure} would be registered; nothing was changed.` : `${added} registered.`,
    ...(unclear > 0
      ? [
          `${countText(unclear, "film")} without a certain title. Register them with: ${commandText("sources", "add MAL_ID EPISODE media:PATH")}`,
        ]
      : []),
  ];
}

/** Fills an empty catalog, as a server start does. File names are compared with its titles. */
async function openCatalog() {
  await migrateWithBackup();
  await seedStarterCatalog();
}

const maxMemoryBytes = mebibytes(500);

/** Exits together with the site that started this process, and when it uses too much memory. */
async function scanForSite(): Promise<number> {
  const ending = new AbortController();
  process.once("disconnect", () => ending.abort());
  exitAbove(maxMemoryBytes, seconds(0.5));
  await runRequestedScans({ signal: ending.signal, onFolder: sendBeats() }, seconds(10));
  return 0;
}

async function run([name = "", ...words]: string[], flags: Flags, streams: Streams) {
  if (name === "scan" && flags["for-site"]) return scanForSite();
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || words.length > (maxWords[name] ?? 0)) throw new UsageError();
  if (name !== "address" || isUuid(words[0] ?? "")) await openCatalog();
  return command(words, flags, streams);
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });
