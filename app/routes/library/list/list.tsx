import { viewerOf } from "#app/api/access/viewer.server.ts";
import { editListByForm } from "#app/api/list-form.server.ts";
import { listEntries } from "#app/domain/library/library.server.ts";
import { getCurrentUser, memberPage } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { listStatePath, readListQuery } from "#app/ui/list-query.ts";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid } from "#app/ui/titles/card.tsx";
import { announce, EditNotice } from "#app/ui/watch-list/edit-notice.tsx";
import type { Route } from "./+types/list";
import { EmptyList } from "./empty-list.tsx";
import { toCard } from "./list-item.ts";
import { ListRow } from "./list-row.tsx";
import { BulkBar, ListTabs, ListTools, statusesOf } from "./list-tools.tsx";
import { ListTransfer } from "./list-transfer.tsx";
import { toListView } from "./list-view.server.ts";
import { useStableOrder } from "./stable-order.ts";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "My list",
    description: "The titles that you watch, have watched and want to watch.",
  });

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = getCurrentUser(context);
  const query = readListQuery(url.searchParams);
  const entries = await listEntries(user.id, { viewer: viewerOf(user) });
  return { query, ...toListView(entries, query, user.preferences.titleLanguage) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return editListByForm(getCurrentUser(context), request);
}

/** A removed row unmounts with its fetcher, so its answer must be announced before the list is loaded again. */
export const clientAction = async ({ serverAction }: Route.ClientActionArgs) =>
  announce(await serverAction());

export default function List({ loaderData, actionData }: Route.ComponentProps) {
  const { query, counts, all, page, lastPage } = loaderData;
  const items = useStableOrder(loaderData.items);
  const types = statusesOf(counts);
  return (
    <div className="wrap page">
      {/* First, so that the keyboard reaches Undo by the link that skips to the content, however long the list is. */}
      <EditNotice pageAnswer={actionData} />
      <div className="page-head">
        <h1>My list</h1>
        {all > 0 && <ListTools query={query} />}
      </div>
      <ListTabs query={query} counts={counts} all={all} />
      {items.length === 0 && <EmptyList type={query.type} isWhole={all === 0} />}
      {items.length > 0 && query.view === "grid" && <CardGrid titles={items.map(toCard)} label="My list" />}
      {items.length > 0 && query.view === "list" && (
        <>
          <ul className="list-rows">
            {items.map((item) => (
              <ListRow key={item.malId} item={item} types={types} />
            ))}
          </ul>
          <BulkBar types={types} />
        </>
      )}
      <Pager page={page} lastPage={lastPage} pathOf={(to) => listStatePath({ ...query, page: to })} />
      <ListTransfer />
    </div>
  );
}
