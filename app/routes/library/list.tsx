import { z } from "zod";
import { mayShowMature } from "#app/domain/accounts/accounts.ts";
import { largestId, mostEpisodes } from "#app/domain/catalog/catalog.ts";
import { editList, type ListEdit, listEntries } from "#app/domain/library/library.server.ts";
import { collectionTypes } from "#app/domain/library/library.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, memberPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { spelledDate } from "#app/http/spellings.server.ts";
import { CardGrid } from "#app/ui/card.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Pager } from "#app/ui/pager.tsx";
import { ChangeNotice } from "#app/ui/watch-list/change-notice.tsx";
import { EmptyList } from "#app/ui/watch-list/empty-list.tsx";
import { announce, useLatestChange } from "#app/ui/watch-list/latest-change.ts";
import { ListRow } from "#app/ui/watch-list/list-row.tsx";
import { BulkBar, ListTabs, ListTools, typesOf } from "#app/ui/watch-list/list-tools.tsx";
import { ListTransfer } from "#app/ui/watch-list/list-transfer.tsx";
import { listPath, readListQuery, toCard, toListItem, viewList } from "#app/ui/watch-list/list-view.ts";
import { useSteadyOrder } from "#app/ui/watch-list/steady-order.ts";
import type { Route } from "./+types/list";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "My list", description: "What you watch, watched, and want to." });

export async function loader({ context, url }: Route.LoaderArgs) {
  const user = currentUser(context);
  const query = readListQuery(url.searchParams);
  const entries = await listEntries(user.id, { showMature: mayShowMature(user) });
  const { titleLanguage } = user.preferences;
  return {
    query,
    ...viewList(
      entries.map((entry) => toListItem(entry, titleLanguage)),
      query,
    ),
  };
}

const id = z.coerce.number().int().positive().max(largestId);
const progress = z.coerce.number().int().min(0).max(mostEpisodes);
const type = z.enum(collectionTypes);
const score = z.coerce.number().min(0).max(10);
const before = z.object({
  type,
  progress,
  score: score.nullable(),
  notes: z.string().max(10_000),
  startedOn: spelledDate.nullable(),
  finishedOn: spelledDate.nullable(),
});
const undo = z.array(z.object({ malId: id, before: before.nullable() })).max(1000);

const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("save"),
    mal_id: id,
    type: type.optional(),
    progress: progress.optional(),
    step: z.coerce.number().int().min(-1).max(1).default(0),
    score: z.literal("").or(score).optional(),
  }),
  z.object({ intent: z.literal("remove"), mal_id: id }),
  z.looseObject({ intent: z.literal("bulk-move"), type }),
  z.looseObject({ intent: z.literal("bulk-remove") }),
  z.object({ intent: z.literal("restore"), entries: z.string() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const edit = toEdit(form.value);
  const edited = await editList(currentUser(context).id, edit);
  if (!edited.ok) return formFaults(edited);
  const { titles, ...answer } = edited.value;
  return { ...answer, words: wordsOf(edit, titles) };
}

function toEdit(form: z.output<typeof change>): ListEdit {
  switch (form.intent) {
    case "save":
      return {
        kind: "save",
        malId: form.mal_id,
        ...(form.type && { type: form.type }),
        ...(form.progress !== undefined && { progress: stepped(form.progress, form.step) }),
        ...(form.score !== undefined && { score: form.score === "" ? null : form.score }),
      };
    case "remove":
      return { kind: "remove", ids: [form.mal_id] };
    case "bulk-move":
      return { kind: "move", ids: tickedIds(form), type: form.type };
    case "bulk-remove":
      return { kind: "remove", ids: tickedIds(form) };
    case "restore":
      return { kind: "restore", entries: readUndo(form.entries) };
  }
}

const stepped = (progress: number, step: number) => Math.min(mostEpisodes, Math.max(0, progress + step));

export const clientAction = async ({ serverAction }: Route.ClientActionArgs) =>
  announce(await serverAction());

const tickedIds = (form: object) =>
  Object.keys(form).flatMap((name) =>
    /^title-[1-9]\d{0,8}$/.test(name) ? [Number(name.slice("title-".length))] : [],
  );

function readUndo(text: string) {
  try {
    return undo.parse(JSON.parse(text));
  } catch {
    return [];
  }
}

function wordsOf(edit: ListEdit, titles: readonly string[]): string {
  const what = titles.length === 1 ? (titles[0] ?? "") : `${titles.length} titles`;
  if (titles.length === 0) return "Nothing was chosen";
  if (edit.kind === "remove") return `Removed ${what}`;
  if (edit.kind === "move") return `Moved ${what} to ${edit.type}`;
  return edit.kind === "restore" ? `Took back the change of ${what}` : `Saved ${what}`;
}

export default function List({ loaderData, actionData }: Route.ComponentProps) {
  const { query, counts, all, page, lastPage } = loaderData;
  const items = useSteadyOrder(loaderData.items);
  const changed = useLatestChange(actionData);
  const types = typesOf(counts);
  return (
    <div className="wrap page">
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
      <Pager page={page} lastPage={lastPage} pathOf={(to) => listPath({ ...query, page: to })} />
      <ListTransfer />
      <ChangeNotice changed={changed} />
    </div>
  );
}
