import { Link, redirect } from "react-router";
import { getProfile } from "#app/domain/accounts/accounts.server.ts";
import { mayShowMature } from "#app/domain/accounts/accounts.ts";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { listEntries } from "#app/domain/library/library.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { type ProfileStats, profileStats } from "#app/ui/profile/profile-stats.ts";
import { CardRow } from "#app/ui/row.tsx";
import { pictureUrl, toCard } from "#app/ui/title-views.ts";
import { EditIcon } from "#app/ui/tool-icons.tsx";
import { tabSlug } from "#app/ui/watch-list/list-view.ts";
import type { Route } from "./+types/profile";

export const middleware: Route.MiddlewareFunction[] = [memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Profile", description: "What you watch, in numbers." });

export async function loader({ context }: Route.LoaderArgs) {
  const user = currentUser(context);
  const showMature = mayShowMature(user);
  const [profile, entries] = await Promise.all([getProfile(user.id), listEntries(user.id, { showMature })]);
  if (!profile.ok) throw redirect("/signin");
  const { name, lastName, avatarUrl, bannerImage, favoriteAnimes, fanaticLevel, createdAt } = profile.value;
  const favorites = await listTitlesById(favoriteAnimes, showMature);
  return {
    name: [name, lastName].filter(Boolean).join(" "),
    isOperator: user.role === "operator",
    level: fanaticLevel,
    since: createdAt.getUTCFullYear(),
    avatar: pictureUrl(avatarUrl, 512),
    banner: pictureUrl(bannerImage, 1080),
    favorites: favorites.map((anime) => toCard(anime, user.preferences.titleLanguage)),
    stats: profileStats(entries),
  };
}

const ownPages = (isOperator: boolean) => [
  ["/list", "My list"] as const,
  ["/history", "History"] as const,
  ["/settings", "Settings"] as const,
  ...(isOperator ? [["/admin", "Administration"] as const] : []),
];

export default function Profile({ loaderData: page }: Route.ComponentProps) {
  return (
    <>
      <header className="profile-head">
        {page.banner !== null && (
          <img className="profile-banner" src={page.banner} alt="" width={1080} height={300} />
        )}
        <div className="wrap profile-name">
          {page.avatar === null ? (
            <span className="profile-avatar" aria-hidden="true">
              {page.name.slice(0, 1).toUpperCase()}
            </span>
          ) : (
            <img className="profile-avatar" src={page.avatar} alt="" width={128} height={128} />
          )}
          <div>
            <h1>{page.name}</h1>
            <p className="quiet">{[page.level, `here since ${page.since}`].filter(Boolean).join(" · ")}</p>
          </div>
          <Link className="button" data-kind="ghost" to="/profile/edit">
            <EditIcon />
            Edit
          </Link>
          {/* A form that the browser itself sends, so that nothing of this member stays in the page. */}
          <form method="post" action="/api/auth/signout">
            <button className="button" data-kind="ghost" type="submit">
              Sign out
            </button>
          </form>
        </div>
      </header>
      <div className="wrap page">
        <nav className="chips profile-nav" aria-label="Yours">
          {ownPages(page.isOperator).map(([to, words]) => (
            <Link key={to} className="chip" to={to}>
              {words}
            </Link>
          ))}
        </nav>
        <Stats stats={page.stats} />
        {page.favorites.length > 0 ? (
          <CardRow title="Favorites" titles={page.favorites} />
        ) : (
          <section className="row" aria-labelledby="favorites">
            <h2 id="favorites">Favorites</h2>
            <p className="lead">
              None yet.{" "}
              <Link className="link" to="/profile/edit">
                Choose the titles you love
              </Link>{" "}
              and they stand here.
            </p>
          </section>
        )}
      </div>
    </>
  );
}

function Stats({ stats: { counts, episodes, meanScore, genres } }: { stats: ProfileStats }) {
  const most = genres[0]?.count ?? 1;
  return (
    <div className="profile-stats">
      <section aria-label="In numbers">
        <dl className="numbers">
          {counts.map(({ type, count }) => (
            <div key={type}>
              <dt>
                <Link to={`/list?tab=${tabSlug(type)}`}>{type}</Link>
              </dt>
              <dd className="numeric">{count}</dd>
            </div>
          ))}
          <div>
            <dt>Episodes seen</dt>
            <dd className="numeric">{episodes}</dd>
          </div>
          <div>
            <dt>Mean score</dt>
            <dd className="numeric">{meanScore === null ? "–" : meanScore.toFixed(1)}</dd>
          </div>
        </dl>
      </section>
      {genres.length > 0 && (
        <section aria-labelledby="genres">
          <h2 id="genres">What it is made of</h2>
          <ul className="genre-bars">
            {genres.map(({ genre, count }) => (
              <li key={genre}>
                <span>{genre}</span>
                <progress value={count} max={most} aria-label={`${genre}: ${count} titles`} />
                <span className="numeric quiet">{count}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
