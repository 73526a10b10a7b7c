import { Suspense } from "react";
import { data, Form, redirect, useLocation } from "react-router";
import { getCurrentUser, memberWrites } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { isChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { continueOf } from "#app/domain/discovery/discovery.server.ts";
import { findFranchiseNumbered } from "#app/domain/franchises/franchises.server.ts";
import { findTitleEntries } from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { PageRefusal } from "#app/http/forms/page-refusal.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { franchisePath, posterPath, searchPath, signInPath, slugOf } from "#app/paths.ts";
import { noTitleText } from "#app/routes/views/nothing-here.server.ts";
import { VanishingButton } from "#app/ui/forms/vanishing-button.tsx";
import { BookmarkIcon } from "#app/ui/icons/icons.tsx";
import { late } from "#app/ui/late.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { Poster } from "#app/ui/titles/poster.tsx";
import { answerToEdit } from "#app/ui/watch-list/edit-answer.ts";
import { editListByForm } from "#app/wire/forms/list-form.server.ts";
import type { Route } from "./+types/franchise";
import { toFranchisePage } from "./franchise-page.server.ts";
import "./franchise.css";

/** Loaded only for members, as visitors have no list. */
const EditNotice = late(() => import("#app/ui/watch-list/edit-notice.tsx").then((part) => part.EditNotice));

export const middleware: Route.MiddlewareFunction[] = [
  cachedPage({ order: "first" }),
  limitedWrites("user"),
  sameOriginPage,
  memberWrites,
];

async function noSuchFranchise(user: SessionUser | null): Promise<PageRefusal> {
  const text =
    user && isChild(user)
      ? await noTitleText("of a franchise at this address", user)
      : "This site has no franchise at this address. Search for one of its titles by name.";
  return { text: { title: "No such franchise here", text, step: { label: "Search", path: searchPath() } } };
}

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { user, preferences, viewer } = await getVisit(request, context);
  const number = /^[1-9]\d{0,8}$/.test(params.id) ? Number(params.id) : 0;
  const franchise = await findFranchiseNumbered(number, viewer);
  if (franchise === null) throw data(await noSuchFranchise(user), { status: 404 });
  // A franchise that has become part of another keeps its addresses, and a wrong slug leads to the right one.
  if (String(franchise.id) !== params.id || (params.slug ?? "") !== slugOf(franchise.name))
    throw redirect(franchisePath(franchise.id, franchise.name) + url.search, 301);
  const ids = franchise.parts.map(({ malId }) => malId);
  return toFranchisePage(franchise, {
    order: url.searchParams.get("order") === "released" ? "released" : "story",
    language: preferences.titleLanguage,
    scoreFormat: preferences.scoreFormat,
    own: user && (await getOwn(user.id, ids, viewer)),
  });
}

async function getOwn(userId: string, ids: readonly number[], viewer: Viewer) {
  const [listed, steps] = await Promise.all([
    findTitleEntries(userId, ids),
    continueOf(userId, [], viewer, { ifBegun: ids }),
  ]);
  return { listed, steps };
}

export async function action({ request, context }: Route.ActionArgs) {
  return editListByForm(getCurrentUser(context), request);
}

export const clientAction = (args: Route.ClientActionArgs) => answerToEdit(args);

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  const { name, path, facts, parts } = loaderData;
  return htmlMeta(matches, {
    title: `${name}, in order`,
    description: `All of ${name} in the order of the story and of release: ${facts.join(", ")}.`,
    path,
    image: posterPath(parts[0]?.malId ?? 0, 640),
  });
};

export default function FranchisePage({ loaderData: page, actionData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  const { name, lang, path, order, facts, progress, toAdd, parts, connected } = page;
  return (
    <div className="wrap page franchise">
      {toAdd !== null && (
        <Suspense>
          <EditNotice pageAnswer={actionData} />
        </Suspense>
      )}
      <header className="page-head">
        <h1 lang={lang}>{name}</h1>
        <p className="lead">{facts.join(" · ")}</p>
      </header>
      {progress !== null && progress.total > 0 && (
        <div className="franchise-progress">
          <progress value={progress.seen} max={progress.total} aria-label="Seen of the franchise" />
          <p>{progress.text}</p>
        </div>
      )}
      <AddAll toAdd={toAdd} pathname={pathname} />
      <nav className="chips" aria-label="Order of the titles">
        <Link className="chip" to={path} aria-current={order === "story" ? "page" : undefined}>
          As the story runs
        </Link>
        <Link
          className="chip"
          to={`${path}?order=released`}
          aria-current={order === "released" ? "page" : undefined}
        >
          As released
        </Link>
      </nav>
      <ol className="parts" aria-label={order === "story" ? "As the story runs" : "As released"}>
        {parts.map((part) => (
          <Part key={part.malId} part={part} />
        ))}
      </ol>
      {connected.length > 0 && (
        <section className="franchise-connected" aria-labelledby="connected">
          <h2 id="connected">Also connected</h2>
          <ul className="chips">
            {connected.map((other) => (
              <li key={other.path}>
                <Link className="chip" to={other.path}>
                  <span lang={other.lang}>{other.name}</span>
                  {other.franchise !== null && (
                    <>
                      {" (in "}
                      <span lang={other.franchise.lang}>{other.franchise.name}</span>)
                    </>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Adds the titles that are not on the list yet, except those that may be skipped. A visitor signs in first. */
function AddAll({ toAdd, pathname }: { toAdd: readonly number[] | null; pathname: string }) {
  if (toAdd === null)
    return (
      <Link className="button" to={signInPath({ redirectTo: pathname })}>
        <BookmarkIcon />
        Add all to list
      </Link>
    );
  return (
    // The section takes the focus of the button once all titles are added.
    <section aria-label="My list">
      {toAdd.length === 0 ? (
        <p className="quiet">All of it is on your list.</p>
      ) : (
        <Form method="post" preventScrollReset>
          {toAdd.map((malId) => (
            <input key={malId} type="hidden" name={`title-${malId}`} value="on" />
          ))}
          <input type="hidden" name="type" value="To Watch" />
          <VanishingButton className="button" data-kind="primary" name="intent" value="bulk-add">
            <BookmarkIcon />
            {toAdd.length === 1
              ? "Add the missing title to my list"
              : `Add ${toAdd.length} titles to my list`}
          </VanishingButton>
        </Form>
      )}
    </section>
  );
}

function Part({ part }: { part: Route.ComponentProps["loaderData"]["parts"][number] }) {
  const { malId, drawnIn, path, name, lang, label, facts, reason, listed, seen, episodes, isNext } = part;
  return (
    <li>
      <Link className="part" to={path} data-skip={part.maySkip || undefined}>
        <Poster malId={malId} drawnIn={drawnIn} sizes="88px" />
        <span className="part-text">
          <span className="part-label">
            {label}
            {isNext && <b className="part-next"> · Next for you</b>}
          </span>
          <span className="part-name" lang={lang}>
            {name}
          </span>
          <span className="part-facts">{facts}</span>
          {reason !== null && <span className="part-facts">{reason}</span>}
          {listed !== undefined && (
            <span className="part-state">
              {listed}
              {seen !== undefined && seen > 0 && episodes !== null && (
                <>
                  {/* "Watching · 9 / 12" says it already. */}
                  {!listed.includes(` ${seen} / `) && ` · ${seen} of ${episodes} seen`}
                  <progress value={seen} max={episodes} aria-hidden="true" />
                </>
              )}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
