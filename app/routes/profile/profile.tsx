import { redirect } from "react-router";
import { getCurrentUser, memberPage } from "#app/access/guards/guard.server.ts";
import { titleLanguageFor, viewerOf } from "#app/access/viewer.server.ts";
import { isChild } from "#app/domain/accounts/accounts.ts";
import { listTitlePageById } from "#app/domain/catalog/catalog.server.ts";
import { proxiedPictureUrl } from "#app/domain/images/images.server.ts";
import { findTitleEntries, summarizeList, withListEntries } from "#app/domain/library/library.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { getProfile, hasTastes } from "#app/domain/profile/profile.server.ts";
import { favoritesPerPage } from "#app/domain/profile/profile.ts";
import {
  browsePath,
  listImportPath,
  profileEditPath,
  profilePath,
  signInPath,
  signOutApiPath,
} from "#app/paths.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { Count } from "#app/ui/count.tsx";
import { EditIcon } from "#app/ui/icons/tool-icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { useSiteData } from "#app/ui/shell/site.ts";
import { CardRow } from "#app/ui/titles/row.tsx";
import { favoritesPageOf } from "#app/wire/forms/profile-form.server.ts";
import type { Route } from "./+types/profile";
import { Chart } from "./charts.tsx";
import { toCharts, toNumbers } from "./statistics.server.ts";

export const middleware: Route.MiddlewareFunction[] = [memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "My page", description: "Statistics about what you watch." });

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const viewer = viewerOf(user);
  const profile = await getProfile(user.id);
  if (!profile.ok) throw redirect(signInPath());
  const { name, lastName, avatarUrl, bannerImage, favoriteAnimes, fanaticLevel, createdAt } = profile.value;
  const { scoreFormat } = user.preferences;
  const titleLanguage = titleLanguageFor(request, user.preferences);
  const favorites = await listTitlePageById(
    favoriteAnimes,
    { page: favoritesPageOf(url), perPage: favoritesPerPage },
    viewer,
  );
  const listed = await findTitleEntries(user.id, malIdsOf(favorites.titles));
  const { summary, isEmpty } = await withListEntries(user.id, { viewer }, async (entries) => ({
    summary: summarizeList(entries),
    isEmpty: entries.length === 0,
  }));
  return {
    name: [name, lastName].filter(Boolean).join(" "),
    isChild: isChild(user),
    hasTastes: hasTastes(profile.value, favorites.total),
    level: fanaticLevel,
    since: createdAt.getUTCFullYear(),
    avatar: proxiedPictureUrl(avatarUrl, 512),
    banner: proxiedPictureUrl(bannerImage, 1080),
    favorites: {
      titles: withListStatus(
        favorites.titles.map((title) => toTitleCard(title, titleLanguage)),
        { listed },
        scoreFormat,
      ),
      total: favorites.total,
      page: favorites.page,
      lastPage: favorites.lastPage,
    },
    // A row of zeros says nothing.
    numbers: isEmpty ? [] : toNumbers(summary),
    charts: toCharts(summary, scoreFormat),
  };
}

export default function Profile({ loaderData: page }: Route.ComponentProps) {
  const { user } = useSiteData();
  return (
    <>
      <header className="profile-head">
        {page.banner !== null && (
          <img className="profile-banner" src={page.banner} alt="" width={1080} height={300} />
        )}
        <div className="wrap profile-name">
          {page.avatar === null ? (
            <span className="profile-avatar" aria-hidden="true">
              {[...page.name][0]?.toUpperCase()}
            </span>
          ) : (
            <img className="profile-avatar" src={page.avatar} alt="" width={128} height={128} />
          )}
          <div>
            <h1>{page.name}</h1>
            <p className="quiet">{[page.level, `member since ${page.since}`].filter(Boolean).join(" · ")}</p>
          </div>
          {!page.isChild && <OwnButtons />}
        </div>
      </header>
      <div className="wrap page">
        <nav className="chips profile-nav" aria-label="Your pages">
          {user?.pages.map(
            ([to, label]) =>
              to !== profilePath() && (
                <Link key={to} className="chip" to={to}>
                  {label}
                </Link>
              ),
          )}
        </nav>
        {page.numbers.length === 0 ? (
          <FirstSteps isChild={page.isChild} hasTastes={page.hasTastes} />
        ) : (
          <section aria-label="Statistics">
            <dl className="numbers">
              {page.numbers.map(({ label, path, text }) => (
                <Count key={label} label={path === undefined ? label : <Link to={path}>{label}</Link>}>
                  {text}
                </Count>
              ))}
            </dl>
            <p className="quiet numbers-note">
              The time counts all episodes seen, and rewatches, at the lengths that this site knows.
            </p>
          </section>
        )}
        {page.favorites.total > 0 && <Favorites {...page.favorites} />}
        {page.favorites.total === 0 && !page.isChild && (
          <section className="row" aria-labelledby="favorites">
            <h2 id="favorites">Favorites</h2>
            <p className="lead">
              None yet.{" "}
              <Link className="link" to={`${profileEditPath()}#favorites`}>
                Choose the titles you love
              </Link>{" "}
              and they appear here.
            </p>
          </section>
        )}
        {page.charts.length > 0 && (
          <div className="charts">
            {page.charts.map((chart) => (
              <Chart key={chart.id} chart={chart} />
            ))}
          </div>
        )}
      </div>
    </>
  );
}

type FavoritesProps = Route.ComponentProps["loaderData"]["favorites"];

const Favorites = ({ titles, total, page, lastPage }: FavoritesProps) => (
  <div id="favorites">
    <CardRow
      key={page}
      title="Favorites"
      {...(lastPage > 1 && { why: `${total.toLocaleString("en")} titles` })}
      titles={titles}
    />
    <Pager page={page} lastPage={lastPage} pathOf={(to) => `${profilePath({ favorites: to })}#favorites`} />
  </div>
);

/** Says how to fill this page, to a member whose list is empty. */
const FirstSteps = ({ isChild, hasTastes }: { isChild: boolean; hasTastes: boolean }) => (
  <section className="first-steps" aria-labelledby="first-steps">
    <h2 id="first-steps">Your page begins with your list</h2>
    <p className="lead">
      Add what you watch, and this page counts your episodes and hours, and draws your scores and genres.
    </p>
    <p className="message-actions">
      <Link className="button" data-kind="primary" to={browsePath()}>
        Find titles
      </Link>
      {!isChild && (
        <>
          <Link className="button" to={listImportPath()}>
            Import a list
          </Link>
          {!hasTastes && (
            <Link className="button" to={`${profileEditPath()}#tastes`}>
              Say what you like
            </Link>
          )}
        </>
      )}
    </p>
  </section>
);

const OwnButtons = () => (
  <>
    <Link className="button" data-kind="ghost" to={profileEditPath()}>
      <EditIcon />
      Edit
    </Link>
    {/* A plain form loads a new page, so that no data of this member stays in the open one. */}
    <form method="post" action={signOutApiPath()}>
      <button className="link" type="submit">
        Sign out
      </button>
    </form>
  </>
);
