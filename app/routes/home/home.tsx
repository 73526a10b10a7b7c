import { Suspense } from "react";
import { getCurrentUser, memberWrites } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { adminSetupPath } from "#app/admin-paths.ts";
import { getSignUpMode } from "#app/domain/joining/joining.server.ts";
import { findOpenSetupStep, hasOperator } from "#app/domain/setup/setup.server.ts";
import { stepText } from "#app/domain/setup/setup.ts";
import { clientContext } from "#app/http/context.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { listPath } from "#app/paths.ts";
import { whyNothingHere } from "#app/routes/views/nothing-here.server.ts";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { late } from "#app/ui/late.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta, siteName } from "#app/ui/shell/page-meta.ts";
import { useSiteData } from "#app/ui/shell/site.ts";
import { Card } from "#app/ui/titles/card.tsx";
import { Hero } from "#app/ui/titles/hero.tsx";
import { CardRow, Row } from "#app/ui/titles/row.tsx";
import { announceAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { editListByForm } from "#app/wire/forms/list-form.server.ts";
import type { Route } from "./+types/home";
import { AddToList } from "./add-to-list.tsx";
import { EpisodeCard, type EpisodeTitle, RemoveFromHome } from "./episode-card.tsx";
import { GoOn } from "./go-on.tsx";
import { getHomePage } from "./home-page.server.ts";
import { MemberWelcome, VisitorWelcome } from "./welcome.tsx";
import "./home.css";

/** Loaded only for members, as visitors have no list. */
const EditNotice = late(() => import("#app/ui/watch-list/edit-notice.tsx").then((part) => part.EditNotice));

export const middleware: Route.MiddlewareFunction[] = [
  cachedPage({}),
  limitedWrites("user"),
  sameOriginPage,
  memberWrites,
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const visit = await getVisit(request, context);
  const page = await getHomePage(visit);
  const isLocal = context.get(clientContext).mayReachLoopback;
  const isEmpty =
    page.hero === null &&
    page.goOn === null &&
    page.missing.length + page.firstEpisodes.length + page.rows.length === 0;
  return {
    ...page,
    join: visit.user === null ? await getSignUpMode(isLocal) : null,
    // The link that the start prints leads there too. Only a person at the machine itself gets it here.
    isNewSite: visit.user === null && isLocal && !(await hasOperator()),
    setup: visit.user?.role === "operator" ? await findWayBackToSetup() : null,
    nothingHere: isEmpty ? await whyNothingHere(visit.user) : null,
  };
}

async function findWayBackToSetup() {
  const step = await findOpenSetupStep();
  return step && { label: `Finish setting up: ${stepText(step)}`, path: adminSetupPath({ step }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return editListByForm(getCurrentUser(context), request);
}

/** Announces the answer to the hero's form, which has a fetcher. The page's `actionData` never holds it. */
export const clientAction = (args: Route.ClientActionArgs) => announceAnswer(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: siteName,
    description:
      "Find anime by name, season, schedule or mood, keep your list, and watch on your own server.",
    path: "/",
  });

export default function Home({ loaderData, actionData }: Route.ComponentProps) {
  const { user } = useSiteData();
  const {
    goOn,
    hero,
    upNext,
    firstEpisodes,
    rows,
    tastes,
    missing,
    isNew,
    isChild,
    join,
    isNewSite,
    setup,
    nothingHere,
  } = loaderData;
  return (
    <div className="home" data-child={isChild || undefined}>
      {user !== null && (
        <Suspense>
          <EditNotice pageAnswer={actionData} />
        </Suspense>
      )}
      {join === null ? (
        <h1 className="visually-hidden">Engawa</h1>
      ) : (
        <VisitorWelcome join={join} isNewSite={isNewSite} />
      )}
      {hero !== null && (
        <Hero title={hero} kicker={hero.kicker}>
          {hero.watch && (
            <Link className="button" data-kind="primary" to={hero.watch.path}>
              <PlayIcon />
              {hero.watch.label}
            </Link>
          )}
          <AddToList malId={hero.malId} path={hero.path} isListed={hero.isListed} />
        </Hero>
      )}
      <div className="wrap home-rows">
        {goOn !== null && <GoOn key={goOn.malId} title={goOn} />}
        {setup && (
          <p className="quiet">
            <Link className="link" to={setup.path}>
              {setup.label}
            </Link>
          </p>
        )}
        {isNew && <MemberWelcome hasTastes={tastes !== null && tastes.length > 0} />}
        {tastes && tastes.length > 0 && <CardRow title="Three for your taste" titles={tastes} eager />}
        <EpisodeRow title="More to go on with" episodes={upNext} canRemove />
        <EpisodeRow title="Watch now" episodes={firstEpisodes} />
        {rows.map(({ id, ...row }, index) => (
          <CardRow key={id} {...row} eager={index === 0 && goOn === null && firstEpisodes.length === 0} />
        ))}
        {missing.length > 0 && (
          <Row title="Next on your list, not here yet" more={listPath()}>
            {missing.map((title) => (
              <li key={title.malId}>
                <Card title={title} loading="lazy" />
                <RemoveFromHome title={title} from="Next on your list" />
              </li>
            ))}
          </Row>
        )}
        {nothingHere !== null && <NothingHere {...nothingHere} />}
      </div>
    </div>
  );
}

/** Shown on a home page without titles. Says why there are none, and what this reader can do about it. */
const NothingHere = ({
  heading,
  text,
  step,
}: NonNullable<Route.ComponentProps["loaderData"]["nothingHere"]>) => (
  <div className="empty">
    <h2>{heading}</h2>
    <p className="lead">{text}</p>
    {step && (
      <Link className="button" data-kind="primary" to={step.path}>
        {step.label}
      </Link>
    )}
  </div>
);

type EpisodeRowProps = { title: string; episodes: readonly EpisodeTitle[]; canRemove?: boolean };

function EpisodeRow({ title, episodes, canRemove }: EpisodeRowProps) {
  if (episodes.length === 0) return null;
  return (
    <Row title={title} shape="wide">
      {episodes.map((episode) => (
        <li key={`${episode.malId} ${episode.episode}`}>
          <EpisodeCard title={episode} />
          {canRemove && <RemoveFromHome title={episode} from={title} />}
        </li>
      ))}
    </Row>
  );
}
