import { useRef, useState } from "react";
import { getCurrentUser, memberPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { isChild } from "#app/domain/accounts/accounts.ts";
import { findListHost } from "#app/domain/details/details.server.ts";
import { withListEntries } from "#app/domain/library/library.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { browsePath, listImportPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid } from "#app/ui/titles/card.tsx";
import { announceAnswer } from "#app/ui/watch-list/edit-answer.ts";
import { EditNotice } from "#app/ui/watch-list/edit-notice.tsx";
import { editListByForm } from "#app/wire/forms/list-form.server.ts";
import { listQueryPath, readListQuery } from "#app/wire/list-query.ts";
import type { Route } from "./+types/list";
import { entryFormId } from "./entry-form.tsx";
import { toCard } from "./list-item.ts";
import { ListRow, type RowProps } from "./list-row.tsx";
import { BulkBar, ListFilterForm, ListTabs, TagTabs, ViewSwitch } from "./list-tools.tsx";
import { ListTransfer } from "./list-transfer.tsx";
import { toListView } from "./list-view.server.ts";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "My list",
    description: "The titles that you watch, have watched and want to watch.",
  });

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const query = readListQuery(url.searchParams);
  const { viewer, timeZone, preferences } = await getVisit(request, context);
  const view = await withListEntries(user.id, { viewer, tag: query.tag }, (entries) =>
    toListView(entries, query, { userId: user.id, preferences, viewer, timeZone }),
  );
  return {
    query,
    isChild: isChild(user),
    canImportByName: findListHost() !== null,
    ...view,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return editListByForm(getCurrentUser(context), request);
}

/** A removed row unmounts with its fetcher, so its answer must be announced before the list is loaded again. */
export const clientAction = (args: Route.ClientActionArgs) => announceAnswer(args);

export default function List({ loaderData, actionData }: Route.ComponentProps) {
  const { query, choices, all, found, page, lastPage } = loaderData;
  const [noticePlace, setNoticePlace] = useState<HTMLElement | null>(null);
  return (
    <div className="wrap page">
      {/*
        Unless a row is open: first, so that the keyboard reaches Undo by the link that skips to the content, however
        long the list is.
      */}
      <EditNotice pageAnswer={actionData} place={noticePlace} />
      <div className="page-head list-head">
        <h1>My list</h1>
        {!loaderData.isChild && <ListTransfer canImportByName={loaderData.canImportByName} />}
        {all > 0 && <ViewSwitch query={query} />}
      </div>
      <ListTabs query={query} statuses={choices.statuses} all={all} />
      {all > 0 && (
        <>
          <TagTabs query={query} tags={choices.tags} />
          <ListFilterForm query={query} choices={choices} />
        </>
      )}
      {found === 0 ? <EmptyList {...loaderData} /> : <Entries {...loaderData} noticeRef={setNoticePlace} />}
      <Pager
        page={page}
        lastPage={lastPage}
        pathOf={(to) => listQueryPath({ ...query, page: to, edit: null, isAllTicked: false })}
      />
    </div>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

/** Says the same whether or not the list has titles that this viewer may not see. */
function EmptyList({ query, all, isChild }: Pick<Loaded, "query" | "all" | "isChild">) {
  const isWhole = all === 0;
  const canImport = !isChild;
  return (
    <section className="message list-empty" aria-label="Empty list">
      <h2>{isWhole ? "Your list is empty" : "No titles here"}</h2>
      <p className="lead">
        {isWhole
          ? `Add titles on their pages${canImport ? ", or import a list from another site" : ""}.`
          : "No title on your list has this status and these filters."}
      </p>
      <p className="message-actions">
        {!isWhole && (
          <Link className="button" data-kind="primary" to={listQueryPath({ view: query.view })}>
            Show the whole list
          </Link>
        )}
        <Link className="button" data-kind={isWhole ? "primary" : "ghost"} to={browsePath()}>
          Browse titles
        </Link>
        {isWhole && canImport && (
          <Link className="button" data-kind="ghost" to={listImportPath()}>
            Import a list
          </Link>
        )}
      </p>
    </section>
  );
}

function Entries({
  query,
  choices,
  details,
  noticeRef,
  ...loaded
}: Pick<Loaded, "query" | "choices" | "details" | "items"> & Pick<RowProps, "noticeRef">) {
  // Opening an entry or choosing rows keeps their order.
  const pagePath = listQueryPath({ ...query, edit: null, isChoosing: false, isAllTicked: false });
  const items = useStableOrder(loaded.items, pagePath);
  if (query.view === "grid") return <CardGrid titles={items.map(toCard)} label="My list" />;
  const close = listQueryPath({ ...query, edit: null });
  return (
    <>
      {query.isChoosing && <BulkBar query={query} statuses={choices.statuses} count={items.length} />}
      <ul className="list-rows">
        {items.map((item) => (
          <ListRow
            key={item.malId}
            item={item}
            statuses={choices.statuses}
            details={details?.malId === item.malId ? details : null}
            editPath={`${listQueryPath({ ...query, edit: item.malId })}#${entryFormId}`}
            closePath={close}
            noticeRef={noticeRef}
            tick={query.isChoosing ? { isTicked: query.isAllTicked } : null}
          />
        ))}
      </ul>
    </>
  );
}

/**
 * Keeps rows in the order in which they were loaded. Otherwise an edit that changes the sort order would move the row,
 * and the next click would hit a different row. Another `pagePath`, or another visit, sorts the rows again.
 */
function useStableOrder<Item extends { malId: number }>(items: readonly Item[], pagePath: string): Item[] {
  const loaded = useRef<{ pagePath: string; ids: number[] }>(null);
  if (loaded.current?.pagePath !== pagePath)
    loaded.current = { pagePath, ids: items.map(({ malId }) => malId) };
  const { ids } = loaded.current;
  const rankOf = ({ malId }: Item) => (ids.includes(malId) ? ids.indexOf(malId) : ids.length);
  return [...items].sort((a, b) => rankOf(a) - rankOf(b));
}
