import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runTool } from "#app/platform/end-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { migrate } from "#db/migrate.ts";
import { seedStarterCatalog } from "#db/seed.ts";
import { importRecords, readRecords } from "../domain/catalog/catalog.server.ts";
import { type SourceType, sourceTypes } from "../domain/catalog/catalog.ts";
import type { Refusal } from "../domain/errors.ts";
import {
  addSource,
  deleteSource,
  listSources,
  type Proposal,
  playableAddress,
  proposeSources,
  type RegisteredSource,
  registerProposals,
} from "../domain/streaming/streaming.server.ts";
import { env } from "../platform/env.server.ts";

/** `npm run sources -- COMMAND`: which films belong to which episode, beside a running server or without one. */

const usage = `npm run sources -- COMMAND [options]

  scan FOLDER               propose titles and episodes from the names of the files in a folder of MEDIA_DIR,
                            and register those that are sure; --dry-run only proposes
  list [MAL_ID [EPISODE]]   the registered sources
  add MAL_ID EPISODE URL    register one: http(s)://…, /…, or media:PATH, a file of MEDIA_DIR
                            --type ${sourceTypes.join("|")}, --label TEXT, --language CODE
  remove ID                 forget one, by the id that list prints
  address URL               what a player asks the video proxy for, signed with PROXY_SIGNING_SECRET

  --json                    the result as JSON
  --help                    this text

Exit codes: 0 done, 1 refused, 2 not understood.
`;

const options = {
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean" },
  type: { type: "string" },
  label: { type: "string" },
  language: { type: "string" },
} as const;

type Values = ReturnType<typeof parse>["values"];
/** Null: the command was not understood. */
type Result = { text: string; data: unknown } | { refusal: string } | null;
type Command = (words: string[], values: Values) => Promise<Result> | Result;

const parse = () => parseArgs({ options, allowPositionals: true });

const commands: Record<string, Command> = {
  async scan([folder], values) {
    if (folder === undefined) return null;
    const proposed = await proposeSources(resolve(folder));
    if (!proposed.ok) return refused(proposed);
    const isDryRun = values["dry-run"] ?? false;
    if (!isDryRun && env.MEDIA_DIR === undefined)
      return refused({ message: "MEDIA_DIR is unset, so these films could not be played" });
    const added = isDryRun ? 0 : await registerProposals(proposed.value);
    return { text: scanText(proposed.value, isDryRun, added), data: { added, proposals: proposed.value } };
  },

  async list([id, episode]) {
    if (![id, episode].every((word) => word === undefined || /^\d{1,9}$/.test(word))) return null;
    const sources = await listSources({
      ...(id !== undefined && { malId: Number(id) }),
      ...(episode !== undefined && { episode: Number(episode) }),
    });
    return { text: sources.map(sourceText).join("") || "No sources are registered.\n", data: sources };
  },

  async add([id, episode, url], { type, label, language }) {
    if (id === undefined || episode === undefined || url === undefined) return null;
    if (type !== undefined && !sourceTypes.includes(type as SourceType)) return null;
    const outcome = await addSource({
      malId: Number(id),
      episode: Number(episode),
      url,
      type: type as SourceType | undefined,
      label,
      language,
    });
    if (!outcome.ok) return refused(outcome);
    const { id: sourceId, isNew } = outcome.value;
    return { text: `${isNew ? "Registered" : "Changed"} ${sourceId}\n`, data: outcome.value };
  },

  async remove([id]) {
    if (id === undefined) return null;
    const outcome = await deleteSource(id);
    return outcome.ok ? { text: "Removed\n", data: { removed: id } } : refused(outcome);
  },

  address([url]) {
    if (url === undefined) return null;
    const address = playableAddress(url);
    return { text: `${address}\n`, data: { address } };
  },
};

const refused = ({ message }: Pick<Refusal, "message">): Result => ({
  refusal: message ?? "That did not work",
});

const sourceText = ({ id, malId, title, episode, type, url, label, language }: RegisteredSource) =>
  `${id}  ${malId} ${title}, episode ${episode}  ${[type, language, label].filter(Boolean).join(" ")}  ${url}\n`;

const outcomes: Record<Proposal["state"], string> = {
  new: "new",
  registered: "there already",
  unsure: "unsure",
  unmatched: "no title",
  extra: "no episode",
};

function scanText(proposals: readonly Proposal[], isDryRun: boolean, added: number): string {
  const lines = proposals.map(({ state, path, match, title, season, episode }) => {
    const read = `${title || "?"}${season === null ? "" : `, season ${season}`}`;
    const place = match ? `${match.malId} ${match.title}` : read;
    const behind = episode === null ? "" : `, episode ${episode}`;
    return `  ${outcomes[state].padEnd(13)}  ${path}  ->  ${place}${behind}\n`;
  });
  const sure = proposals.filter(({ state }) => state === "new").length;
  const unclear = proposals.filter(({ state }) => state === "unsure" || state === "unmatched").length;
  return [
    ...lines,
    proposals.length === 0 ? "No films were found.\n" : "",
    isDryRun ? `${sure} would be registered; nothing was changed.\n` : `${added} registered.\n`,
    unclear > 0 ? `${unclear} need a person: npm run sources -- add MAL_ID EPISODE media:PATH\n` : "",
  ].join("");
}

/** Names are matched against the catalog, which the first start of the server would fill. */
async function openCatalog() {
  await migrate();
  await seedStarterCatalog((chunks) => importRecords(readRecords(chunks), { fillOnly: true }));
}

async function run(): Promise<number> {
  const { values, positionals } = parse();
  const [name = "", ...words] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help || !command) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  if (name !== "address") await openCatalog();
  const result = await command(words, values);
  if (!result) {
    process.stderr.write(usage);
    return 2;
  }
  if ("refusal" in result) {
    process.stderr.write(`${result.refusal}\n`);
    return 1;
  }
  process.stdout.write(values.json ? `${JSON.stringify(result.data, null, 2)}\n` : result.text);
  return 0;
}

await runTool(run, closeDatabase);
