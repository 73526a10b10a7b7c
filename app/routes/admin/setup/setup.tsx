import { Form, redirect } from "react-router";
import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { getCurrentSession, operatorPage } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { signedOutHeaders } from "#app/access/session-headers.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminCatalogFilePath, adminFeedsPath, adminSetupPath } from "#app/admin-paths.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { findDetailsOffer } from "#app/domain/details/details.server.ts";
import { fetchFullCatalog, findFullCatalogOffer, listFeeds } from "#app/domain/feeds/feeds.server.ts";
import { isUnderWay, runText } from "#app/domain/feeds/feeds.ts";
import { hasFilmRoots, listNewestTitles } from "#app/domain/films/films.server.ts";
import { getSiteHealth } from "#app/domain/health/health.server.ts";
import { getSignUpState } from "#app/domain/joining/joining.server.ts";
import { wakeScanner } from "#app/domain/scanning/scanning.server.ts";
import {
  chooseFilmFolder,
  passSetupStep,
  removeFilmFolder,
  saveSiteSettings,
} from "#app/domain/setup/setup.server.ts";
import {
  type SetupStep,
  settingLabels,
  setupSteps,
  signUpTexts,
  stepAfter,
  stepTitles,
  visitorTexts,
} from "#app/domain/setup/setup.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { demonstrationId, homePath, signInPath, titlePath } from "#app/paths.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { isLocalMode } from "#app/platform/upstream/local-mode.ts";
import { drawnLanguageOf } from "#app/routes/views/title-views.server.ts";
import { useFocusOnNewStep } from "#app/ui/forms/new-step.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import { AdminPage } from "../admin-page.tsx";
import { changeFilms, filmChange } from "../film-changes.server.ts";
import { FoldersToDecide } from "../folders-to-decide.tsx";
import { FullCatalog } from "../full-catalog.tsx";
import { GetDetails } from "../get-details.tsx";
import { viewUndecidedFilms } from "../undecided-view.server.ts";
import { WorkProgress } from "../work-progress.tsx";
import type { Route } from "./+types/setup";
import { ChoiceFields } from "./choice-fields.tsx";
import { FirstScan, NoFolder } from "./first-scan.tsx";
import { maxPathLength, viewMediaFolders } from "./media-folders.server.ts";
import { MediaFolders } from "./media-folders.tsx";
import { getScanState } from "./scan-state.server.ts";
import { StepButtons, StepLinks } from "./setup-steps.tsx";
import { WatchStep } from "./watch-step.tsx";

/** The first hour of a new site in five steps. Each can be skipped, and opened again later. */

export const middleware: Route.MiddlewareFunction[] = [limited("user"), sameOriginPage, operatorPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Setup", description: "Media folder, catalog, and who may join and look." });

const stepOf = (url: URL): SetupStep =>
  setupSteps.find((step) => step === url.searchParams.get("step")) ?? "videos";

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const language = memberTitleLanguage(request, context);
  const view = {
    videos: viewVideos,
    found: viewFound,
    catalog: viewCatalog,
    people: viewPeople,
    watch: viewWatch,
  };
  return view[stepOf(url)]({ url, context, language });
}

type StepRequest = { url: URL; context: Context; language: TitleLanguage };

async function viewVideos({ url, context }: StepRequest) {
  const folders = await viewMediaFolders(url.searchParams.get("at"), getCurrentSession(context));
  return { step: "videos", folders } as const;
}

const maxPosters = 60;
/** A new site may have many. The page Media folder lists more. */
const maxUndecided = 100;

async function viewFound({ url, language }: StepRequest) {
  const [scan, open, newest] = await Promise.all([
    hasFilmRoots() ? getScanState(language) : null,
    viewUndecidedFilms(maxUndecided, language),
    listNewestTitles(maxPosters, catalogKeeper),
  ]);
  const titles = await listTitlesById(newest, catalogKeeper);
  return {
    step: "found",
    scan,
    open: { ...open, isAllSelected: url.searchParams.get("select") === "all" },
    titles: titles.map((title) => ({
      malId: title.malId,
      path: titlePath(title.malId, title.title),
      ...nameIn(title, language),
      ...drawnLanguageOf(title, language),
    })),
  } as const;
}

async function viewCatalog() {
  const now = new Date();
  const [offer, feeds] = await Promise.all([findFullCatalogOffer(), listFeeds()]);
  const chosen = feeds.find(({ isByButton }) => isByButton);
  const run = chosen?.runs[0];
  const isDue = chosen !== undefined && chosen.nextAt <= now;
  return {
    step: "catalog",
    offer,
    detailsOffer: findDetailsOffer(),
    fetching: chosen && {
      text: run ? runText(run, now) : "The full catalog is fetched within half a minute.",
      isUnderWay: isDue || (run !== undefined && isUnderWay(run, now)),
    },
    importCommand: commandText("catalog:import", "FILE"),
  } as const;
}

async function viewPeople() {
  const { mode } = await getSignUpState();
  return {
    step: "people",
    signUps: mode,
    visitors: isClosedSite() ? "no" : "yes",
    filmsOfVisitors: env.FILMS === undefined && isLocalMode(env) ? "here" : (env.FILMS ?? "members"),
    setByEnvironment: { joining: env.SIGNUPS !== undefined, visitors: env.VISITORS !== undefined },
  } as const;
}

async function viewWatch({ language }: StepRequest) {
  const [scan, { needs }, [demonstration]] = await Promise.all([
    hasFilmRoots() ? getScanState(language) : null,
    getSiteHealth(),
    listTitlesById([demonstrationId], catalogKeeper),
  ]);
  return { step: "watch", scan, needs, hasDemonstration: demonstration !== undefined } as const;
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("choose"), folder: z.string().max(maxPathLength) }),
  z.object({ intent: z.literal("remove"), number: z.coerce.number().int().positive().max(999_999) }),
  z.object({ intent: z.literal("sign-in-again") }),
  z.object({ intent: z.literal("next"), step: z.enum(setupSteps) }),
  z.object({ intent: z.literal("full-catalog"), weekly: z.literal("1").optional() }),
  z.object({
    intent: z.literal("people"),
    signUps: z.enum(["closed", "invite", "open"]).optional(),
    visitors: z.enum(["yes", "no"]).optional(),
  }),
  ...filmChange.options,
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const operator = operatorOf(context);
  switch (form.value.intent) {
    case "choose": {
      const chosen = await chooseFilmFolder(form.value.folder, getCurrentSession(context), operator);
      if (!chosen.ok) return formErrorResponse(chosen);
      wakeScanner();
      await passSetupStep("videos");
      throw redirect(adminSetupPath({ step: "found" }));
    }
    case "remove": {
      const removed = await removeFilmFolder(form.value.number, getCurrentSession(context), operator);
      if (!removed.ok) return formErrorResponse(removed);
      wakeScanner();
      return { notice: "Removed. The site remembers its videos, in case you choose the folder again." };
    }
    case "sign-in-again":
      throw redirect(signInPath({ redirectTo: adminSetupPath() }), {
        headers: await signedOutHeaders(request, context),
      });
    case "next": {
      const { step } = form.value;
      await passSetupStep(step);
      const next = stepAfter(step);
      throw redirect(next === undefined ? homePath() : adminSetupPath({ step: next }));
    }
    case "full-catalog":
      await fetchFullCatalog({ isWeekly: form.value.weekly !== undefined });
      return { notice: "The full catalog is fetched next. You can go on meanwhile." };
    case "people": {
      const { intent: _, ...chosen } = form.value;
      await saveSiteSettings(chosen, operator);
      await passSetupStep("people");
      throw redirect(adminSetupPath({ step: "watch" }));
    }
    default: {
      const changed = await changeFilms(form.value, operator);
      return changed.ok ? changed.value : formErrorResponse(changed);
    }
  }
}

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  const { step } = loaderData;
  useFocusOnNewStep(step);
  return (
    <AdminPage
      title={stepTitles[step]}
      lead={leadOf(loaderData)}
      answer={actionData}
      nav={<StepLinks step={step} />}
    >
      <Step {...loaderData} />
      <StepButtons step={step} isDone={isDone(loaderData)} />
    </AdminPage>
  );
}

const leads: Record<SetupStep, string> = {
  videos: "The site plays the videos of this folder, and changes nothing in it.",
  found: "The site matches your videos with the titles of its catalog, by their names.",
  catalog: "The catalog holds the titles that people can find here. A larger one knows more of your videos.",
  people: "Decide who may make an account here, and what visitors see.",
  watch: "You can come back to each step at any time: Setup is a page of the administration.",
};

type View = Route.ComponentProps["loaderData"];

/** The step People has a form, whose button saves and goes on. To go on without it is to skip it. */
function isDone(view: View) {
  if (view.step === "videos") return view.folders.folders.some(({ isTrouble }) => !isTrouble);
  if (view.step === "found") return view.titles.length > 0;
  return view.step === "catalog" && view.offer === null;
}

const leadOf = (view: View) =>
  view.step === "videos" && view.folders.folders.length === 0
    ? "Choose the folder that holds your videos. The site plays them, and changes nothing in the folder."
    : leads[view.step];

function Step(view: View) {
  switch (view.step) {
    case "videos":
      return <MediaFolders {...view.folders} />;
    case "found":
      if (view.scan === null) return <NoFolder />;
      return (
        <>
          <FirstScan scan={view.scan} titles={view.titles} />
          {view.open.all > 0 && (
            <FoldersToDecide
              {...view.open}
              from="setup"
              selectAllPath={adminSetupPath({ step: "found", select: "all" })}
            />
          )}
        </>
      );
    case "catalog":
      return <Catalog {...view} />;
    case "people":
      return <People {...view} />;
    case "watch":
      return <WatchStep {...view} />;
  }
}

const Catalog = ({ offer, detailsOffer, fetching, importCommand }: Extract<View, { step: "catalog" }>) => (
  <>
    {offer && <FullCatalog host={offer.host} action={adminSetupPath({ step: "catalog" })} />}
    {!offer && (
      <p className="lead" role="status">
        {fetching?.text ?? "The variable CATALOG_FEEDS renews the catalog."}{" "}
        <Link className="link" to={adminFeedsPath()}>
          Feeds
        </Link>
      </p>
    )}
    {fetching?.isUnderWay && (
      <WorkProgress label="The full catalog is fetched" to={adminSetupPath({ step: "catalog" })} />
    )}
    {detailsOffer && <GetDetails host={detailsOffer.host} />}
    <p className="quiet">
      Or import a file of titles{" "}
      <Link className="link" to={adminCatalogFilePath()}>
        from your browser
      </Link>{" "}
      or by the command <code>{importCommand}</code>.
    </p>
  </>
);

/** Modes that are none of the choices. */
const modeTexts: Partial<Record<Extract<View, { step: "people" }>["signUps"], string>> = {
  code: "People make an account with the sign-up code or with an invitation.",
  "open-here":
    "Nothing is chosen yet. At this machine anybody can make an account and watch your videos. From other machines, people need an invitation.",
};

const catalogHints = {
  members: "Titles, the schedule and search, but none of your videos.",
  here: "Titles, the schedule and search. Visitors at this machine also watch your videos, others do not.",
  everyone: "Titles, the schedule and search, and all of your videos, because of FILMS=everyone.",
};

const People = ({
  signUps,
  visitors,
  filmsOfVisitors,
  setByEnvironment,
}: Extract<View, { step: "people" }>) => (
  <Form method="post">
    <ChoiceFields
      title={settingLabels.signUps}
      name="signUps"
      value={signUps}
      now={modeTexts[signUps]}
      fixedBy={setByEnvironment.joining ? "SIGNUPS" : null}
      choices={[
        ["closed", signUpTexts.closed, "You make accounts yourself, on the page Users."],
        ["invite", signUpTexts.invite, "You make links, each for the people you choose."],
        [
          "open",
          signUpTexts.open,
          "Whoever reaches the site can make an account and then watch your videos.",
        ],
      ]}
    />
    <ChoiceFields
      title={settingLabels.visitors}
      name="visitors"
      value={visitors}
      fixedBy={setByEnvironment.visitors ? "VISITORS" : null}
      choices={[
        ["yes", visitorTexts.yes, catalogHints[filmsOfVisitors]],
        ["no", visitorTexts.no, "Only the pages to sign in and to sign up."],
      ]}
    />
    <button className="button" data-kind="primary" type="submit" name="intent" value="people">
      Save and continue
    </button>
  </Form>
);
