import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { limited } from "#app/access/limits.server.ts";
import {
  adminCatalogFilePath,
  adminFilmsPath,
  adminFoldersPath,
  adminInvitationsPath,
} from "#app/admin-paths.ts";
import { findFullCatalogOffer } from "#app/domain/feeds/feeds.server.ts";
import {
  listRootStates,
  mayChooseRoots,
  type RootState,
  requestScan,
} from "#app/domain/films/films.server.ts";
import { findSiteHealth } from "#app/domain/health/health.server.ts";
import { findSignUpState } from "#app/domain/joining/joining.server.ts";
import { wakeScanner } from "#app/domain/scanning/scanning.server.ts";
import { saveSiteSettings } from "#app/domain/setup/setup.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { operatorPage } from "#app/http/guards/guard.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { homePath } from "#app/paths.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isClosedSite } from "#app/platform/site-settings.server.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminPage } from "../admin-page.tsx";
import { FullCatalog } from "../full-catalog.tsx";
import { HealthList } from "../health-list.tsx";
import type { Route } from "./+types/setup";
import { ChoiceForm } from "./choice-form.tsx";
import { FirstScan, type ScanState } from "./first-scan.tsx";
import { findScanState } from "./scan-state.server.ts";

export const middleware: Route.MiddlewareFunction[] = [
  limited("user", { on: "writes" }),
  sameOriginPage,
  operatorPage,
];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Setup", description: "Folder of videos, catalog, and who may join and look." });

export async function loader() {
  const scan = await findScanState();
  const [films, offer, { mode }, { needs }] = await Promise.all([
    // The films are not counted once a scan reads the folder, because the page reloads every few seconds.
    listRootStates({ isCounted: !isScanned(scan) }),
    findFullCatalogOffer(),
    findSignUpState(),
    findSiteHealth(),
  ]);
  return {
    ...{ films, offer, mode },
    mayChoose: mayChooseRoots(),
    scan: films.some(({ trouble }) => trouble === null) ? scan : null,
    needs: needs.filter(({ about }) => about !== "films"),
    importCommand: commandText("catalog:import", "FILE"),
    visitors: isClosedSite() ? "no" : "yes",
    setByEnvironment: { joining: env.SIGNUPS !== undefined, visitors: env.VISITORS !== undefined },
  };
}

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("joining"), signUps: z.enum(["closed", "invite", "open"]) }),
  z.object({ intent: z.literal("visitors"), visitors: z.enum(["yes", "no"]) }),
  z.object({ intent: z.literal("scan") }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readPageForm(change, request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "scan") {
    await requestScan({ folder: "", reason: "operator" });
    wakeScanner();
    return { notice: "A scan begins within seconds." };
  }
  const { intent: _, ...chosen } = form.value;
  await saveSiteSettings(chosen, operatorOf(context));
  return { notice: "Saved. It applies from now on." };
}

export default function Setup({ loaderData, actionData }: Route.ComponentProps) {
  const { films, mayChoose, scan, offer, mode, needs, importCommand, visitors, setByEnvironment } =
    loaderData;
  return (
    <AdminPage
      title="Setup"
      lead="What a new site needs. You can leave this page at any time and come back to it."
      answer={actionData}
    >
      <FilmFolder films={films} mayChoose={mayChoose} isBeingScanned={scan !== null && isScanned(scan)} />
      {scan !== null && <FirstScan scan={scan} />}
      {offer ? (
        <FullCatalog host={offer.host} />
      ) : (
        <section aria-labelledby="catalog">
          <h2 id="catalog">Catalog</h2>
          <p className="lead">The full catalog is chosen. The page Feeds shows how far it is.</p>
        </section>
      )}
      <p className="quiet">
        You can also import a file of titles{" "}
        <Link className="link" to={adminCatalogFilePath()}>
          from your browser
        </Link>{" "}
        or by the command <code>{importCommand}</code>.
      </p>
      <ChoiceForm
        title="Who may join"
        intent="joining"
        name="signUps"
        value={mode}
        fixedBy={setByEnvironment.joining ? "SIGNUPS" : null}
        choices={[
          ["closed", "Nobody", "You make accounts yourself, by a command."],
          ["invite", "By invitation", "You make links, each for the people you choose."],
          ["open", "Everybody", "Whoever reaches the site can make an account and then watch your videos."],
        ]}
      />
      <ChoiceForm
        title="What visitors see"
        intent="visitors"
        name="visitors"
        value={visitors}
        fixedBy={setByEnvironment.visitors ? "VISITORS" : null}
        choices={[
          ["yes", "The catalog", "Titles, the schedule and search, but none of your videos."],
          ["no", "Nothing", "Only the page to sign in."],
        ]}
      />
      <HealthList needs={needs} />
      <p className="admin-line">
        <Link className="button" data-kind="primary" to={homePath()}>
          Go to the site
        </Link>
        <Link className="button" to={adminInvitationsPath()}>
          Invite somebody
        </Link>
      </p>
    </AdminPage>
  );
}

const isScanned = ({ hasBegun, isUnderWay }: ScanState) => hasBegun && isUnderWay;

type FilmFolderProps = { films: readonly RootState[]; mayChoose: boolean; isBeingScanned: boolean };

const FilmFolder = ({ films, mayChoose, isBeingScanned }: FilmFolderProps) => (
  <section aria-labelledby="folder">
    <h2 id="folder">Folder of films</h2>
    {mayChoose && (
      <p>
        <Link className="button" to={adminFoldersPath()}>
          Choose folders
        </Link>
      </p>
    )}
    {films.length === 0 && !mayChoose && (
      <p className="lead">
        None is set. Set the variable MEDIA_DIR to a folder and start the site again. In a container, mount
        the folder at /media.
      </p>
    )}
    {films.map(({ folder, trouble, films: count }) =>
      trouble !== null ? (
        <p key={folder} className="admin-warning">
          {trouble}
        </p>
      ) : (
        <p key={folder} className="lead">
          {folder}: {isBeingScanned ? "it can be read." : countText(count)}{" "}
          <Link className="link" to={adminFilmsPath()}>
            Media folder
          </Link>
        </p>
      ),
    )}
  </section>
);

function countText(films: number | null) {
  if (films === null) return "it can be read, and is so large that counting its videos takes a while.";
  if (films === 0) return "it can be read, but there is no video in it. Is it the right folder?";
  return films === 1 ? "1 video found." : `${films.toLocaleString("en")} videos found.`;
}
