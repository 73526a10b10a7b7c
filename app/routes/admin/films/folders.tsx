import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { adminFilmsPath, adminFoldersPath } from "#app/admin-paths.ts";
import { listRootStates } from "#app/domain/films/films.server.ts";
import { wakeScanner } from "#app/domain/scanning/scanning.server.ts";
import {
  browseFilmFolders,
  chooseFilmFolder,
  listChosenFolders,
  removeFilmFolder,
} from "#app/domain/setup/setup.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { getCurrentSession, operatorPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage, AdminTable } from "../admin-page.tsx";
import { RowButton } from "../intent-button.tsx";
import type { Route } from "./+types/folders";

/** Chooses the folders of films by their names. The page shows no files. */

export const middleware: Route.MiddlewareFunction[] = [limited("user"), sameOriginPage, operatorPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Folders of films", description: "Which folders hold your films." });

export async function loader({ context, url }: Route.LoaderArgs) {
  const at = url.searchParams.get("at")?.slice(0, maxPathLength) || null;
  const [browsed, chosen, states] = await Promise.all([
    browseFilmFolders(at, getCurrentSession(context)),
    listChosenFolders(),
    listRootStates({ isCounted: false }),
  ]);
  const stateOf = new Map(states.map(({ number, trouble }) => [number, trouble ?? "It can be read."]));
  return {
    browsed: browsed.ok ? browsed.value : null,
    refusal: browsed.ok ? null : (browsed.message ?? "This folder cannot be opened."),
    chosen: chosen.map(({ number, folder }) => ({
      number,
      folder,
      state: stateOf.get(number) ?? "It is not used, because it cannot be chosen any more.",
    })),
  };
}

const maxPathLength = 4000;
const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("choose"), folder: z.string().max(maxPathLength) }),
  z.object({ intent: z.literal("remove"), number: z.coerce.number().int().positive().max(999_999) }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  const session = getCurrentSession(context);
  if (form.value.intent === "remove") {
    const removed = await removeFilmFolder(form.value.number, session, operatorOf(context));
    if (!removed.ok) return formErrorResponse(removed);
    wakeScanner();
    return { notice: "Removed. Its films stay known, for the case that you choose the folder again." };
  }
  const chosen = await chooseFilmFolder(form.value.folder, session, operatorOf(context));
  if (!chosen.ok) return formErrorResponse(chosen);
  wakeScanner();
  return { notice: `${chosen.value.folder} is chosen. A scan of it begins within seconds.` };
}

export default function Folders({ loaderData, actionData }: Route.ComponentProps) {
  const { browsed, refusal, chosen } = loaderData;
  return (
    <AdminPage
      title="Folders of films"
      lead="Choose the folders that hold your films. The site only reads them, and plays nothing but films, subtitles, sound, fonts and pictures from them."
      answer={actionData}
    >
      <p className="quiet">
        <Link className="link" to={adminFilmsPath()}>
          Media folder
        </Link>
      </p>
      {chosen.length > 0 && (
        <section aria-labelledby="chosen">
          <h2 id="chosen">Chosen</h2>
          <AdminTable label="Chosen folders" columns={["Folder", "State", "Change"]}>
            {chosen.map(({ number, folder, state }) => (
              <tr key={number}>
                <td className="admin-address">
                  <bdi>{folder}</bdi>
                </td>
                <td>{state}</td>
                <td>
                  <RowButton fields={{ number: `${number}` }} intent="remove" label="Remove" about={folder} />
                </td>
              </tr>
            ))}
          </AdminTable>
        </section>
      )}
      <section aria-labelledby="open">
        <h2 id="open">{browsed?.path ?? "This machine"}</h2>
        {refusal !== null && <p className="admin-warning">{refusal}</p>}
        {browsed !== null && <Browsed {...browsed} />}
      </section>
    </AdminPage>
  );
}

type BrowsedProps = NonNullable<Route.ComponentProps["loaderData"]["browsed"]>;

function Browsed({ path, above, isChoosable, folders, isCut }: BrowsedProps) {
  return (
    <>
      {path !== null && (
        <p className="admin-line">
          <Link className="button" to={adminFoldersPath(above === null ? {} : { at: above })}>
            Up
          </Link>
          {isChoosable && (
            <RowButton fields={{ folder: path }} intent="choose" label="Choose this folder" about={path} />
          )}
        </p>
      )}
      {folders.length === 0 && <p className="quiet">There is no folder in it.</p>}
      {folders.length > 0 && (
        <AdminTable label="Folders" columns={["Folder", "Choose"]}>
          {folders.map((folder) => (
            <tr key={folder.path}>
              <td className="admin-address">
                <Link className="link" to={adminFoldersPath({ at: folder.path })}>
                  <bdi>{folder.name}</bdi>
                </Link>
              </td>
              <td>
                {folder.isChoosable && (
                  <RowButton
                    fields={{ folder: folder.path }}
                    intent="choose"
                    label="Choose"
                    about={folder.path}
                  />
                )}
              </td>
            </tr>
          ))}
        </AdminTable>
      )}
      {isCut && <p className="quiet">Only the first 500 are shown.</p>}
    </>
  );
}
