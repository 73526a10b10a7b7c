import { resolve } from "node:path";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { importRecords, readRecords } from "#app/domain/catalog/catalog.server.ts";
import { type SourceType, sourceTypes } from "#app/domain/catalog/catalog.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  createSource,
  deleteSource,
  type FilmProposal,
  listSources,
  playableUrl,
  proposeSources,
  type RegisteredSource,
  registerProposals,
} from "#app/domain/streaming/streaming.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import {
  defineTool,
  type FlagsOf,
  NotUnderstood,
  type ToolAnswer,
} from "#app/platform/process/run-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { seedStarterCatalog } from "#db/seed.ts";

/** `npm run sources -- COMMAND`: manages the sources of episodes. The server can be running or stopped. */

const usage = `Usage: npm run sources -- COMMAND [options]

  scan FOLDER               find the title and episode of each film in a folder of MEDIA_DIR by its file name,
                            and register the certain ones; --dry-run registers nothing
  list [MAL_ID [EPISODE]]   list the registered sources
  add MAL_ID EPISODE URL    register a source: http(s)://…, /…, or media:PATH for a file in MEDIA_DIR
                            --type ${sourceTypes.join("|")}, --label TEXT, --language CODE
  remove ID                 delete a source, by the id that list prints
  address URL               print the URL that a player loads for a source, signed with PROXY_SIGNING_SECRET

  --json                    print the result as JSON
  --help                    print this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = {
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
  type: { type: "string" },
  label: { type: "string" },
  language: { type: "string" },
} as const;

type Flags = FlagsOf<typeof options>;
type Command = (words: string[], flags: Flags) => Promise<Outcome<ToolAnswer>>;

const commands: Record<string, Command> = {
  async scan([folder], flags) {
    if (folder === undefined) throw new NotUnderstood();
    const proposed = await proposeSources(resolve(folder));
    if (!proposed.ok) return proposed;
    const isDryRun = flags["dry-run"] ?? false;
    if (!isDryRun && env.MEDIA_DIR === undefined)
      return refuse(
        "invalid",
        "MEDIA_DIR is not set, so these films could not be played. Set it to the folder of your films",
      );
    const added = isDryRun ? 0 : await registerProposals(proposed.value);
    return done({
      text: scanText(proposed.value, isDryRun, added),
      json: { added, proposals: proposed.value },
    });
  },

  async list([id, episode]) {
    if (![id, episode].every((word) => word === undefined || /^\d{1,9}$/.test(word)))
      throw new NotUnderstood();
    const sources = await listSources({
      ...(id !== undefined && { malId: Number(id) }),
      ...(episode !== undefined && { episode: Number(episode) }),
    });
    return done({ text: sources.map(sourceText).join("\n") || "No sources are registered.", json: sources });
  },

  async add([id, episode, url], { type, label, language }) {
    if (id === undefined || episode === undefined || url === undefined) throw new NotUnderstood();
    if (type !== undefined && !sourceTypes.includes(type as SourceType)) throw new NotUnderstood();
    const outcome = await createSource({
      malId: Number(id),
      episode: Number(episode),
      url,
      type: type as SourceType | undefined,
      label,
      language,
    });
    if (!outcome.ok) return outcome;
    const { id: sourceId, isNew } = outcome.value;
    return done({ text: `${isNew ? "Registered" : "Changed"} ${sourceId}`, json: outcome.value });
  },

  async remove([id]) {
    if (id === undefined) throw new NotUnderstood();
    const outcome = await deleteSource(id);
    return outcome.ok ? done({ text: "Removed", json: { removed: id } }) : outcome;
  },

  async address([url]) {
    if (url === undefined) throw new NotUnderstood();
    const playable = playableUrl(url);
    return done({ text: playable, json: { address: playable } });
  },
};

const sourceText = ({ id, malId, title, episode, type, url, label, language }: RegisteredSource) =>
  `${id}  ${malId} ${title}, episode ${episode}  ${[type, language, label].filter(Boolean).join(" ")}  ${url}`;

const stateLabels: Record<FilmProposal["state"], string> = {
  new: "new",
  registered: "registered",
  unsure: "unsure",
  unmatched: "no title",
  extra: "no episode",
};

function scanText(proposals: readonly FilmProposal[], isDryRun: boolean, added: number): string {
  const lines = proposals.map(({ state, path, match, title, season, episode }) => {
    const readTitle = `${title || "?"}${season === null ? "" : `, season ${season}`}`;
    const titleText = match ? `${match.malId} ${match.title}` : readTitle;
    const episodeText = episode === null ? "" : `, episode ${episode}`;
    return `  ${stateLabels[state].padEnd(13)}  ${path}  ->  ${titleText}${episodeText}`;
  });
  const sure = proposals.filter(({ state }) => state === "new").length;
  const unclear = proposals.filter(({ state }) => state === "unsure" || state === "unmatched").length;
  return [
    ...lines,
    ...(proposals.length === 0 ? ["No films were found."] : []),
    isDryRun ? `${sure} would be registered; nothing was changed.` : `${added} registered.`,
    ...(unclear > 0
      ? [
          `${unclear} films have no certain title. Register them with: npm run sources -- add MAL_ID EPISODE media:PATH`,
        ]
      : []),
  ].join("\n");
}

/** Fills an empty catalog, which otherwise only a server start does. File names are compared with its titles. */
async function openCatalog() {
  await migrateWithBackup();
  await seedStarterCatalog((chunks) => importRecords(readRecords(chunks), { fillOnly: true }));
}

async function run([name = "", ...words]: string[], flags: Flags) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new NotUnderstood();
  if (name !== "address") await openCatalog();
  return command(words, flags);
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, close: closeDatabase });
