import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { adminFoldersPath, adminHooksPath } from "#app/admin-paths.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import {
  listIncompleteTitles,
  listPassedOver,
  listRootStates,
  listScans,
  mayChooseRoots,
  requestScan,
  stopScans,
} from "#app/domain/films/films.server.ts";
import {
  isScanUnderWay,
  openFilmsText,
  type PassedOver,
  passedOverTexts,
  type Scan,
  scanReasonTexts,
  scanText,
} from "#app/domain/films/films.ts";
import { findSignUpState } from "#app/domain/joining/joining.server.ts";
import { giveFilmsLocalTitle } from "#app/domain/local-titles/local-titles.server.ts";
import { reportNewestFilms } from "#app/domain/playback/playback.server.ts";
import {
  countOpenFilms,
  decideFilm,
  folderEventsText,
  listDecisions,
  listOpenFilms,
  undoDecision,
  wakeScanner,
} from "#app/domain/scanning/scanning.server.ts";
import { type DecidedFilm, decisionText } from "#app/domain/scanning/scanning.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { operatorPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ffmpegText } from "#app/platform/process/ffmpeg.server.ts";
import { noConverterText } from "#app/platform/process/memory.server.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage, AdminTable } from "../admin-page.tsx";
import { FilmList } from "../film-reports.tsx";
import { RowButton } from "../intent-button.tsx";
import type { Route } from "./+types/films";
import { FoldersToDecide } from "./folders-to-decide.tsx";
import { IncompleteTitles } from "./incomplete-titles.tsx";
import { PassedOverFiles } from "./passed-over-files.tsx";
import { Roots } from "./roots.tsx";
import { Scans } from "./scans.tsx";

export const middleware: Route.MiddlewareFunction[] = [
  limited("user", { on: "writes" }),
  sameOriginPage,
  operatorPage,
];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Media folder",
    description: "Which titles and episodes your videos belong to.",
  });

/** Keeps the page short enough to read. Deciding about a folder shortens the list. */
const maxOpen = 300;
const maxRegistered = 200;
const maxDecisions = 50;
const maxIncomplete = 200;
const maxPassedOver = 300;

export async function loader() {
  const now = new Date();
  const [roots, passed, open, counts, scans, decisions, incomplete, newest, signUps] = await Promise.all([
    listRootStates({ isCounted: false }),
    listPassedOver(maxPassedOver),
    listOpenFilms(maxOpen),
    countOpenFilms(),
    listScans(6),
    listDecisions(maxDecisions),
    listIncompleteTitles(maxIncomplete),
    reportNewestFilms(maxRegistered),
    findSignUpState(),
  ]);
  return {
    mayChoose: mayChooseRoots(),
    passedOver: { more: passed.more, files: passed.files.map(passedOverRow) },
    roots: roots.map((root) => ({ ...root, watching: folderEventsText(root.number) })),
    converter: [ffmpegText(), noConverterText()].filter((text) => text !== null).join("; "),
    warning: openFilmsText({ ...env, hasFilms: roots.length > 0 }, signUps.isOpenToOthers),
    schedule: scheduleText(env.SCAN_EVERY),
    ...{ open, counts, incomplete, newest },
    scans: scans.map((scan) => scanRow(scan, now)),
    decisions: decisions.map((decision) => decisionRow(decision, now)),
  };
}

const scheduleText = (everyMinutes: number) =>
  everyMinutes === 0
    ? "SCAN_EVERY is 0, so no scan begins by the clock."
    : `A scan begins every ${everyMinutes === 60 ? "hour" : `${everyMinutes} minutes`} as well.`;

const scanRow = (scan: Scan, now: Date) => ({
  time: scan.startedAt.toISOString(),
  ago: timeAgoText(scan.startedAt, now),
  why: scanReasonTexts[scan.reason],
  folder: scan.folder,
  isUnderWay: isScanUnderWay(scan, now),
  isFailed: scan.outcome === "failed",
  text: scanText(scan, now),
  problems: [...scan.problems],
});

const passedOverRow = ({ path, reason }: PassedOver) => ({ path, why: passedOverTexts[reason] });

const decisionRow = (decision: DecidedFilm, now: Date) => ({
  id: decision.id,
  about: decision.path ?? (decision.folder === "" ? "all films" : `${decision.folder}/`),
  text: decisionText(decision),
  ago: timeAgoText(decision.decidedAt, now),
});

const malId = z.coerce.number("needs a title").int().positive();
const episode = z.coerce.number("needs a number").int().positive();
/** A field that was left empty. */
const noNumber = z
  .literal("")
  .optional()
  .transform(() => undefined);
const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("scan") }),
  z.object({ intent: z.literal("stop") }),
  z.object({ intent: z.literal("undo"), id: z.string().max(40) }),
  z.object({
    intent: z.literal("title"),
    film: z.string().max(40),
    id: malId,
    episode,
    last: noNumber.or(episode),
  }),
  z.object({
    intent: z.literal("local-title"),
    film: z.string().max(40),
    name: z.string(),
    episode,
    last: noNumber.or(episode),
  }),
  z.object({ intent: z.literal("special"), film: z.string().max(40), id: malId }),
  z.object({ intent: z.literal("not-title"), film: z.string().max(40), id: malId }),
  z.object({ intent: z.literal("ignore"), film: z.string().max(40) }),
  z.object({
    intent: z.literal("folder-title"),
    folder: z.string().max(4000),
    id: malId,
    shift: z.coerce.number("needs a number").int().default(0),
  }),
  z.object({
    intent: z.literal("folder-local-title"),
    folder: z.string().max(4000),
    name: z.string(),
    shift: z.coerce.number("needs a number").int().default(0),
  }),
  z.object({ intent: z.literal("folder-not-title"), folder: z.string().max(4000), id: malId }),
  z.object({ intent: z.literal("folder-ignore"), folder: z.string().max(4000) }),
]);
type Change = z.infer<typeof change>;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const decided = await decide(form.value, operatorOf(context));
  return decided.ok ? { notice: decided.value } : formErrorResponse(decided);
}

async function decide(value: Change, operator: Actor) {
  switch (value.intent) {
    case "scan":
      await requestScan({ folder: "", reason: "operator" });
      wakeScanner();
      return {
        ok: true,
        value: "The scan begins within seconds. Open this page again to see how far it is.",
      } as const;
    case "stop":
      await stopScans();
      return { ok: true, value: "The scan stops. What it has registered stays." } as const;
    case "undo":
      return said(await undoDecision(value.id), "Undone. The name of the file and the catalog decide again.");
    case "title": {
      const { film: filmId, id, episode: first, last: lastEpisode } = value;
      const decision = { kind: "title", filmId, malId: id, episode: first, lastEpisode } as const;
      return said(await decideFilm(decision), "Saved. The video can be watched within seconds.");
    }
    case "special":
      return said(
        await decideFilm({ kind: "title", filmId: value.film, malId: value.id, episode: null }),
        "Saved. The video is a special of this title and no episode.",
      );
    case "not-title":
      return said(
        await decideFilm({ kind: "not_title", filmId: value.film, malId: value.id }),
        "Saved. This title is not proposed for the video again.",
      );
    case "ignore":
      return said(await decideFilm({ kind: "ignored", filmId: value.film }), "The video is ignored.");
    case "local-title": {
      const { film: filmId, name, episode: first, last: lastEpisode } = value;
      return madeText(await giveFilmsLocalTitle(name, { filmId, episode: first, lastEpisode }, operator));
    }
    case "folder-local-title":
      return madeText(await giveFilmsLocalTitle(value.name, value, operator));
    default:
      return decideFolder(value);
  }
}

const madeText = (outcome: Awaited<ReturnType<typeof giveFilmsLocalTitle>>) =>
  outcome.ok
    ? ({
        ok: true,
        value: "Saved. Members find it as a title of this site, and can watch it within seconds.",
      } as const)
    : outcome;

type FolderChange = Exclude<Extract<Change, { folder: string }>, { intent: "folder-local-title" }>;

async function decideFolder(value: FolderChange) {
  const { folder } = value;
  if (value.intent === "folder-ignore")
    return said(
      await decideFilm({ kind: "ignored", folder }),
      "The folder is ignored, also what comes into it later.",
    );
  const { id } = value;
  if (value.intent === "folder-not-title")
    return said(
      await decideFilm({ kind: "not_title", folder, malId: id }),
      "Saved. This title is not proposed for the folder again.",
    );
  const decided = await decideFilm({ kind: "title", folder, malId: id, shift: value.shift });
  return said(
    decided,
    "Saved, also for what comes into the folder later. The videos can be watched within seconds.",
  );
}

const said = (outcome: Awaited<ReturnType<typeof decideFilm>>, text: string) =>
  outcome.ok ? ({ ok: true, value: text } as const) : outcome;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

export default function Films({ loaderData, actionData }: Route.ComponentProps) {
  const {
    roots,
    mayChoose,
    passedOver,
    converter,
    warning,
    schedule,
    open,
    counts,
    scans,
    decisions,
    incomplete,
    newest,
  } = loaderData;
  if (roots.length === 0)
    return (
      <AdminPage
        title="Media folder"
        lead={
          mayChoose
            ? "No folder of films is chosen."
            : "No folder of films is set. Set the variable MEDIA_DIR to a folder and start the site again. In a container, mount the folder at /media."
        }
      >
        {mayChoose && <ChooseLink />}
        <FilmList {...newest} />
      </AdminPage>
    );
  return (
    <AdminPage
      title="Media folder"
      lead="Videos whose title is certain are added by themselves. You decide about the others."
      answer={actionData}
    >
      {warning !== null && <p className="admin-warning">{sentence(warning)}</p>}
      <p className="quiet">{converter}</p>
      <p className="quiet">
        {schedule}{" "}
        <Link className="link" to={adminHooksPath()}>
          Programs such as Sonarr and Radarr
        </Link>{" "}
        can say at once that a video came.
      </p>
      <Roots roots={roots} />
      {mayChoose && <ChooseLink />}
      <Scans scans={scans} />
      <FoldersToDecide {...open} />
      <Counts {...counts} />
      <PassedOverFiles {...passedOver} />
      <Decisions decisions={decisions} />
      <IncompleteTitles titles={incomplete} />
      <FilmList {...newest} />
    </AdminPage>
  );
}

const ChooseLink = () => (
  <p>
    <Link className="button" to={adminFoldersPath()}>
      Choose folders
    </Link>
  </p>
);

function Counts({ extras, waiting, gone }: Route.ComponentProps["loaderData"]["counts"]) {
  const texts = [
    waiting > 0
      ? `${waiting} just came and ${waiting === 1 ? "is" : "are"} registered once the whole file is here`
      : "",
    extras > 0 ? `${extras} ${extras === 1 ? "is no episode" : "are no episodes"} (openings, previews)` : "",
    gone > 0 ? `${gone} registered ${gone === 1 ? "is" : "are"} not here at the moment` : "",
  ].filter(Boolean);
  return texts.length > 0 && <p className="quiet">Other videos: {texts.join("; ")}.</p>;
}

type Rows = Route.ComponentProps["loaderData"];

function Decisions({ decisions }: { decisions: Rows["decisions"] }) {
  if (decisions.length === 0) return null;
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">What was decided</h2>
      <AdminTable label="Decisions" columns={["File or folder", "Decision", "When", "Change"]}>
        {decisions.map(({ id, about, text, ago }) => (
          <tr key={id}>
            <td className="admin-address">
              <bdi>{about}</bdi>
            </td>
            <td>{text}</td>
            <td>{ago}</td>
            <td>
              <RowButton fields={{ id }} intent="undo" label="Undo" about={about} />
            </td>
          </tr>
        ))}
      </AdminTable>
    </section>
  );
}
