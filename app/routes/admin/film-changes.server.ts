import { z } from "zod";
import { done, type Outcome } from "#app/domain/errors.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import { requestScan, stopScans } from "#app/domain/films/films.server.ts";
import { giveFilmsLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { decideFilm, undoDecision, wakeScanner } from "#app/domain/scanning/scanning.server.ts";
import { malIdInput as malId } from "#app/wire/forms/mal-id.server.ts";
import { listSelected } from "./selected-matches.ts";

/** The changes that operators make about scans, films and folders, on the pages Media folder and Setup. */

const episode = z.coerce.number("needs a number").int().positive();
/** A field that was left empty. */
const noNumber = z
  .literal("")
  .optional()
  .transform(() => undefined);
const film = z.string().max(40);
const folder = z.string().max(4000);
const shift = z.coerce.number("needs a number").int().default(0);

export const filmChange = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("scan") }),
  z.object({ intent: z.literal("stop") }),
  z.object({ intent: z.literal("undo"), id: z.string().max(20_000) }),
  // The other fields are the selected matches.
  z.object({ intent: z.literal("accept") }).catchall(z.string()),
  z.object({ intent: z.literal("title"), film, id: malId, episode, last: noNumber.or(episode) }),
  z.object({
    intent: z.literal("local-title"),
    film,
    name: z.string(),
    episode,
    last: noNumber.or(episode),
  }),
  z.object({ intent: z.literal("special"), film, id: malId }),
  z.object({ intent: z.literal("not-title"), film, id: malId }),
  z.object({ intent: z.literal("ignore"), film }),
  z.object({ intent: z.literal("folder-title"), folder, id: malId, shift }),
  z.object({ intent: z.literal("folder-local-title"), folder, name: z.string(), shift }),
  z.object({ intent: z.literal("folder-not-title"), folder, id: malId }),
  z.object({ intent: z.literal("folder-ignore"), folder }),
]);
type Change = z.infer<typeof filmChange>;

/** `undo`: the ids of the decisions that the notice offers to undo. */
type Answer = { notice: string; undo?: readonly string[] };

export async function changeFilms(value: Change, operator: Actor): Promise<Outcome<Answer>> {
  const decide = async (decision: Parameters<typeof decideFilm>[0], notice: string) =>
    withUndo(await decideFilm(decision, operator), notice);
  switch (value.intent) {
    case "scan":
      await requestScan({ folder: "", reason: "operator" });
      wakeScanner();
      return done({ notice: "The folder is scanned next." });
    case "stop":
      await stopScans();
      return done({ notice: "The scan stops. What it has found stays." });
    case "undo":
      return undo(value.id.split(" "), operator);
    case "accept":
      return accept(value, operator);
    case "title":
      return decide(
        {
          kind: "title",
          filmId: value.film,
          malId: value.id,
          episode: value.episode,
          lastEpisode: value.last,
        },
        "Saved. The video can be watched within seconds.",
      );
    case "special":
      return decide(
        { kind: "title", filmId: value.film, malId: value.id, episode: null },
        "Saved as a special of this title.",
      );
    case "not-title":
      return decide(
        { kind: "not_title", filmId: value.film, malId: value.id },
        "Saved. This title is not proposed for the video again.",
      );
    case "ignore":
      return decide({ kind: "ignored", filmId: value.film }, "The video is ignored.");
    case "local-title":
      return localTitleMade(
        await giveFilmsLocalTitle(
          value.name,
          { filmId: value.film, episode: value.episode, lastEpisode: value.last },
          operator,
        ),
      );
    case "folder-local-title":
      return localTitleMade(await giveFilmsLocalTitle(value.name, value, operator));
    case "folder-ignore":
      return decide(
        { kind: "ignored", folder: value.folder },
        "The folder is ignored, and so is what is added to it later.",
      );
    case "folder-not-title":
      return decide(
        { kind: "not_title", folder: value.folder, malId: value.id },
        "Saved. This title is not proposed for the folder again.",
      );
    case "folder-title":
      return decide(
        { kind: "title", folder: value.folder, malId: value.id, shift: value.shift },
        "Saved, for what is added to the folder later too. The videos can be watched within seconds.",
      );
  }
}

async function accept(fields: Record<string, string>, operator: Actor): Promise<Outcome<Answer>> {
  const undo: string[] = [];
  const refused: string[] = [];
  for (const match of listSelected(fields)) {
    const decided = await decideFilm({ kind: "title", ...match }, operator);
    if (decided.ok) undo.push(decided.value.id);
    else refused.push(decided.message ?? "");
  }
  return done({ notice: acceptedText(undo.length, refused), undo });
}

function acceptedText(accepted: number, refused: readonly string[]) {
  const count = (number: number) => (number === 1 ? "1 match" : `${number} matches`);
  if (accepted + refused.length === 0) return "No match is selected.";
  return [
    `${count(accepted)} accepted.`,
    ...(accepted > 0 ? ["The videos can be watched within seconds."] : []),
    ...(refused.length > 0
      ? [`${count(refused.length)} could not be saved: ${[...new Set(refused)].join(", ")}`]
      : []),
  ].join(" ");
}

async function undo(ids: readonly string[], operator: Actor): Promise<Outcome<Answer>> {
  let undone = 0;
  for (const id of ids) {
    const one = await undoDecision(id, operator);
    if (one.ok) undone += 1;
    else if (ids.length === 1) return one;
  }
  return done({
    notice: undone === 1 ? "Undone." : `${undone} decisions are undone.`,
  });
}

/** The notice of a decision offers to undo it. */
const withUndo = (outcome: Awaited<ReturnType<typeof decideFilm>>, notice: string): Outcome<Answer> =>
  outcome.ok ? done({ notice, undo: [outcome.value.id] }) : outcome;

const localTitleMade = (outcome: Awaited<ReturnType<typeof giveFilmsLocalTitle>>) =>
  withUndo(outcome, "Saved. Members find it as a title of this site, and can watch it within seconds.");
