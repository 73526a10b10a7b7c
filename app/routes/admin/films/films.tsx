import { Form } from "react-router";
import { operatorOf } from "#app/access/actor.server.ts";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminFilmsPath, adminHooksPath, adminSetupPath } from "#app/admin-paths.ts";
import {
  findScanRequest,
  listIncompleteTitles,
  listPassedOver,
  listRootStates,
  listScans,
} from "#app/domain/films/films.server.ts";
import {
  filmsForAnybodyText,
  isScanUnderWay,
  type PassedOver,
  passedOverTexts,
  type Scan,
  scanReasonTexts,
  scanText,
} from "#app/domain/films/films.ts";
import { getSignUpState } from "#app/domain/joining/joining.server.ts";
import { reportNewestFilms } from "#app/domain/playback/playback.server.ts";
import {
  countUndecidedFilms,
  folderEventsText,
  listDecisions,
} from "#app/domain/scanning/scanning.server.ts";
import { type DecidedFilm, decisionText } from "#app/domain/scanning/scanning.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { titlePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { env } from "#app/platform/process/env.server.ts";
import { ffmpegText } from "#app/platform/process/ffmpeg.server.ts";
import { noConverterText } from "#app/platform/process/memory.server.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage, AdminTable, ButtonLine, StackedCell, StackedRow } from "../admin-page.tsx";
import { changeFilms, filmChange } from "../film-changes.server.ts";
import { FilmList } from "../film-reports.tsx";
import { FoldersToDecide, sentence } from "../folders-to-decide.tsx";
import { IntentButton, RowButton } from "../intent-button.tsx";
import { findTitleNames } from "../title-names.server.ts";
import { viewUndecidedFilms } from "../undecided-view.server.ts";
import { WorkProgress } from "../work-progress.tsx";
import type { Route } from "./+types/films";
import { IncompleteTitles } from "./incomplete-titles.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Media folder",
    description: "Which titles and episodes your videos belong to.",
  });

/** Keeps the page short enough to read. Deciding about a folder shortens the list. */
const maxUndecided = 300;
const maxRegistered = 200;
const maxDecisions = 50;
const maxIncomplete = 200;
const maxPassedOver = 300;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const now = new Date();
  const language = memberTitleLanguage(request, context);
  const [roots, passed, open, counts, scans, scanRequest, decisions, incomplete, newest, signUps] =
    await Promise.all([
      listRootStates({ isCounted: false }),
      listPassedOver(maxPassedOver),
      viewUndecidedFilms(maxUndecided, language),
      countUndecidedFilms(),
      listScans(6),
      findScanRequest(),
      listDecisions(maxDecisions),
      listIncompleteTitles(maxIncomplete),
      reportNewestFilms(maxRegistered),
      getSignUpState(),
    ]);
  const rows = [...incomplete, ...newest.films, ...decisions];
  const names = await findTitleNames(
    rows.flatMap(({ malId }) => malId ?? []),
    language,
  );
  return {
    passedOver: { more: passed.more, files: passed.files.map(passedOverRow) },
    roots: roots.map((root) => ({ ...root, watching: folderEventsText(root.number) })),
    converter: [ffmpegText(), noConverterText()].filter((text) => text !== null).join("; "),
    warning: filmsForAnybodyText({ ...env, hasFilms: roots.length > 0 }, signUps.mode === "open"),
    schedule: scheduleText(env.SCAN_EVERY),
    open: { ...open, isAllSelected: url.searchParams.get("select") === "all" },
    counts,
    incomplete: incomplete.map((title) => ({
      ...title,
      path: titlePath(title.malId, title.title),
      ...names.get(title.malId),
    })),
    newest: { ...newest, films: newest.films.map((film) => ({ ...film, ...names.get(film.malId) })) },
    isQueued: scanRequest !== null,
    scans: scans.map((scan) => scanRow(scan, now)),
    decisions: decisions.map((decision) =>
      decisionRow({ ...decision, ...names.get(decision.malId ?? 0) }, now),
    ),
  };
}

const scheduleText = (everyMinutes: number) =>
  everyMinutes === 0
    ? "SCAN_EVERY is 0, so no scan begins at regular times."
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
  about: decision.path ?? (decision.folder === "" ? "all videos" : `${decision.folder}/`),
  text: decisionText(decision),
  ago: timeAgoText(decision.decidedAt, now),
});

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(filmChange, request);
  if (!form.ok) return formErrorResponse(form);
  const changed = await changeFilms(form.value, operatorOf(context));
  return changed.ok ? changed.value : formErrorResponse(changed);
}

export default function Films({ loaderData, actionData }: Route.ComponentProps) {
  const {
    roots,
    passedOver,
    converter,
    warning,
    schedule,
    open,
    counts,
    scans,
    isQueued,
    decisions,
    incomplete,
    newest,
  } = loaderData;
  if (roots.length === 0)
    return (
      <AdminPage
        title="Media folder"
        lead="The site has no media folder yet. Choose the folder that holds your videos."
        answer={actionData}
      >
        <ButtonLine to={adminSetupPath()}>Choose the folder</ButtonLine>
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
      <FoldersToDecide
        {...open}
        waiting={counts.waiting}
        unjudged={counts.unjudged}
        selectAllPath={adminFilmsPath({ select: "all" })}
      />
      <Scans scans={scans} isQueued={isQueued} hasWaiting={counts.waiting > 0} />
      <p className="quiet">
        {schedule}{" "}
        <Link className="link" to={adminHooksPath()}>
          Programs such as Sonarr and Radarr
        </Link>{" "}
        can report new videos at once.
      </p>
      <Roots roots={roots} />
      <ButtonLine to={adminSetupPath()}>Change the folders</ButtonLine>
      <p className="quiet">{converter}</p>
      <Counts {...counts} />
      <PassedOverFiles {...passedOver} />
      <Decisions decisions={decisions} />
      <IncompleteTitles titles={incomplete} />
      <FilmList {...newest} />
    </AdminPage>
  );
}

type Rows = Route.ComponentProps["loaderData"];

/** The last scans, and the button that begins or stops one. A video whose file is still being copied is added later. */
function Scans({ scans, isQueued, hasWaiting }: Pick<Rows, "scans" | "isQueued"> & { hasWaiting: boolean }) {
  const isUnderWay = scans.some((scan) => scan.isUnderWay);
  return (
    <section aria-labelledby="scans">
      <h2 id="scans">Scans</h2>
      <Form method="post" preventScrollReset className="admin-buttons">
        {isUnderWay ? (
          <IntentButton intent="stop" label="Stop the scan" />
        ) : (
          <IntentButton intent="scan" label="Scan now" />
        )}
      </Form>
      {(isUnderWay || isQueued || hasWaiting) && (
        <WorkProgress
          label={isUnderWay || isQueued ? "The folder is being scanned" : "Waiting for whole files"}
          to={adminFilmsPath()}
        />
      )}
      {scans.length === 0 && <p className="quiet">No scan has begun yet.</p>}
      {scans.length > 0 && (
        <AdminTable isStacked label="Scans" columns={["Begun", "Reason", "Folder", "Result"]}>
          {scans.map((scan) => (
            <ScanRow key={scan.time} scan={scan} />
          ))}
        </AdminTable>
      )}
    </section>
  );
}

const ScanRow = ({ scan }: { scan: Rows["scans"][number] }) => (
  <StackedRow>
    <StackedCell>
      <time dateTime={scan.time}>{scan.ago}</time>
    </StackedCell>
    <StackedCell>{scan.why}</StackedCell>
    <StackedCell className="admin-address" data-heading="Folder">
      {scan.folder === "" ? "all" : <bdi>{scan.folder}</bdi>}
    </StackedCell>
    <StackedCell className={scan.isFailed ? "admin-warning" : undefined}>
      {scan.text}
      {scan.problems.length > 0 && (
        <details>
          <summary>This scan noted {countText(scan.problems.length, "problem")}</summary>
          <ul>
            {scan.problems.map((problem) => (
              <li key={problem}>
                <bdi className="admin-address">{problem}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </StackedCell>
  </StackedRow>
);

const Roots = ({ roots }: Pick<Rows, "roots">) => (
  <section aria-labelledby="roots">
    <h2 id="roots">{roots.length === 1 ? "Folder" : "Folders"}</h2>
    <AdminTable label="Media folders" columns={["Folder", "State"]}>
      {roots.map(({ number, folder, trouble, watching }) => (
        <tr key={number}>
          <td className="admin-address">
            <bdi>{folder}</bdi>
            {number > 1 && ` (in the lists below: .${number})`}
          </td>
          <td className={trouble === null ? undefined : "admin-warning"}>{trouble ?? watching}</td>
        </tr>
      ))}
    </AdminTable>
  </section>
);

function Counts({ extras, gone }: Rows["counts"]) {
  const texts = [
    extras > 0 ? `${extras} ${extras === 1 ? "is no episode" : "are no episodes"} (openings, previews)` : "",
    gone > 0 ? `${gone} added before ${gone === 1 ? "is" : "are"} not here at the moment` : "",
  ].filter(Boolean);
  return texts.length > 0 && <p className="quiet">Other videos: {texts.join("; ")}.</p>;
}

/** The files and folders that look like films and are not played, each with the reason. */
const PassedOverFiles = ({ files, more }: Rows["passedOver"]) =>
  files.length > 0 && (
    <section aria-labelledby="passed-over">
      <h2 id="passed-over">Not played</h2>
      <p className="quiet">The site does not play these files and folders.</p>
      <AdminTable label="Not played" columns={["File or folder", "Reason"]}>
        {files.map(({ path, why }) => (
          <tr key={path}>
            <td className="admin-address">
              <bdi>{path}</bdi>
            </td>
            <td>{why}</td>
          </tr>
        ))}
      </AdminTable>
      {more > 0 && <p className="quiet">And {more.toLocaleString("en")} more.</p>}
    </section>
  );

function Decisions({ decisions }: Pick<Rows, "decisions">) {
  if (decisions.length === 0) return null;
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">Your decisions</h2>
      <AdminTable isStacked label="Decisions" columns={["File or folder", "Decision", "When", "Change"]}>
        {decisions.map(({ id, about, text, ago }) => (
          <StackedRow key={id}>
            <StackedCell className="admin-address">
              <bdi>{about}</bdi>
            </StackedCell>
            <StackedCell>{text}</StackedCell>
            <StackedCell>{ago}</StackedCell>
            <StackedCell>
              <RowButton fields={{ id }} intent="undo" label="Undo" about={about} />
            </StackedCell>
          </StackedRow>
        ))}
      </AdminTable>
    </section>
  );
}
