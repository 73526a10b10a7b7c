import { Form } from "react-router";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminEpisodePath, adminFeedsPath, adminFilmsPath, adminWishesPath } from "#app/admin-paths.ts";
import { getInstalledVersion } from "#app/domain/backup/backup.server.ts";
import { findDetailsOffer } from "#app/domain/details/details.server.ts";
import { findFullCatalogOffer } from "#app/domain/feeds/feeds.server.ts";
import { videoText } from "#app/domain/films/films.ts";
import { getSiteHealth } from "#app/domain/health/health.server.ts";
import { listFailedPlays } from "#app/domain/playback/playback.server.ts";
import { commandTextsOfRestore } from "#app/platform/command-text.server.ts";
import { sizeText } from "#app/platform/units.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { Count } from "#app/ui/count.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminField, AdminPage, AdminTable } from "../admin-page.tsx";
import { FullCatalog } from "../full-catalog.tsx";
import { GetDetails } from "../get-details.tsx";
import { HealthList } from "../health-list.tsx";
import { withTitleNames } from "../title-names.server.ts";
import type { Route } from "./+types/overview";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Administration",
    description: "What needs an operator, and what failed to play.",
  });

const maxPlays = 200;

export async function loader({ request, context }: Route.LoaderArgs) {
  const now = new Date();
  const language = memberTitleLanguage(request, context);
  const { backup, ...installed } = await getInstalledVersion();
  const [plays, { needs, counts }, offer] = await Promise.all([
    listFailedPlays(maxPlays),
    getSiteHealth(),
    findFullCatalogOffer(),
  ]);
  const { freeDiskBytes, lastBackupAt, firstAccountAt: _, ...others } = counts;
  return {
    numbers: {
      ...others,
      freeDisk: diskText(freeDiskBytes),
      lastBackup: lastBackupAt === null ? "–" : timeAgoText(lastBackupAt, now),
    },
    needs,
    offer,
    detailsOffer: findDetailsOffer(),
    installed,
    /** The backup that leads back to the previous version. */
    wayBack: backup && {
      file: backup.file,
      ago: timeAgoText(backup.madeAt, now),
      commands: commandTextsOfRestore(`${backup.file} --replace`),
    },
    plays: (await withTitleNames(plays, language)).map(({ at, ...play }) => ({
      ...play,
      ago: timeAgoText(at, now),
    })),
  };
}

/** `bytes` is infinite if the system does not report the number. */
function diskText(bytes: number) {
  if (!Number.isFinite(bytes)) return "–";
  return bytes < 1e10 ? sizeText(bytes) : `${Math.round(bytes / 1e9)} GB`;
}

export default function Overview({ loaderData }: Route.ComponentProps) {
  const { plays, numbers, needs, offer, detailsOffer, installed, wayBack } = loaderData;
  return (
    <AdminPage
      title="Administration"
      lead="What needs you, and episodes that failed to play. The list does not record who watched."
    >
      <HealthList needs={needs} />
      <SiteNumbers numbers={numbers} version={installed.version} />
      {offer && <FullCatalog host={offer.host} />}
      {detailsOffer && <GetDetails host={detailsOffer.host} />}
      <section aria-labelledby="episode">
        <h2 id="episode">Videos of an episode</h2>
        <Form method="get" action={adminEpisodePath()} className="admin-line">
          <AdminField label="Name or catalog number of a title" name="id" />
          <AdminField label="Episode" name="episode" type="number" value={1} />
          <button className="button" type="submit">
            Open episode
          </button>
        </Form>
      </section>
      <section aria-labelledby="plays">
        <h2 id="plays">
          {plays.length === maxPlays ? `The newest ${maxPlays} failed plays` : "Failed plays"}
        </h2>
        {plays.length === 0 ? (
          <p className="lead">No episode has failed to play.</p>
        ) : (
          <AdminTable label="Failed plays" columns={["When", "Title", "Episode", "Reason", "Video"]}>
            {plays.map(({ id, ago, malId, title, episode, reason, source }) => (
              <tr key={id}>
                <td>{ago}</td>
                <td className="admin-address">{title}</td>
                <td className="numeric">
                  <Link
                    className="link"
                    to={adminEpisodePath({ id: malId, episode })}
                    aria-label={`${title}, episode ${episode}`}
                  >
                    {episode}
                  </Link>
                </td>
                <td>{reason}</td>
                <td className="admin-address">{source === null ? "–" : videoText(source)}</td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
      <InstalledVersion {...installed} wayBack={wayBack} />
    </AdminPage>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

/** The current numbers of the site. */
const SiteNumbers = ({ numbers, version }: Pick<Loaded, "numbers"> & { version: string }) => (
  <section aria-labelledby="now">
    <h2 id="now">Now</h2>
    <dl className="numbers admin-numbers">
      <Count label={<Link to={adminFilmsPath()}>Videos</Link>}>{numbers.films}</Count>
      <Count label={<Link to={adminFilmsPath()}>Videos to decide</Link>}>
        {numbers.filmsToDecide}
        {numbers.filmsToJudge > 0 && <span className="quiet"> {numbers.filmsToJudge} not looked at yet</span>}
      </Count>
      {numbers.wishes !== null && (
        <Count label={<Link to={adminWishesPath()}>Wishes</Link>}>{numbers.wishes}</Count>
      )}
      <Count label={<a href="#plays">Videos that failed in 7 days</a>}>{numbers.failedPlays}</Count>
      <Count label="Members watching">{numbers.watching}</Count>
      <Count label="Tracks being converted">{numbers.converting}</Count>
      <Count label="Free disk">{numbers.freeDisk}</Count>
      <Count label="Last backup">{numbers.lastBackup}</Count>
      <Count label={<a href="#version">Version</a>}>{version}</Count>
      <Count label={<Link to={adminFeedsPath()}>Feeds</Link>}>
        {numbers.feeds.all}
        {numbers.feeds.failing > 0 && <span className="quiet"> {numbers.feeds.failing} failing</span>}
      </Count>
    </dl>
  </section>
);

type VersionProps = Loaded["installed"] & Pick<Loaded, "wayBack">;

/** The installed version, and how an operator goes back to the previous one. */
const InstalledVersion = ({ version, lastMigration, wayBack }: VersionProps) => (
  <section aria-labelledby="version">
    <h2 id="version">Version</h2>
    <p className="lead">
      Engawa {version}, database {lastMigration}.
    </p>
    {wayBack === null ? (
      <p>
        No update has changed the database yet. Before one does, the site writes a backup and names it here.
      </p>
    ) : (
      <>
        <p>
          The backup before the last change of the database was made {wayBack.ago}:{" "}
          <code className="admin-address">{wayBack.file}</code>. To go back, get the files of the version
          before, build them, and run this, with the site stopped. What was written since then is lost.
        </p>
        <pre className="admin-commands">{wayBack.commands.join("\n")}</pre>
      </>
    )}
  </section>
);
