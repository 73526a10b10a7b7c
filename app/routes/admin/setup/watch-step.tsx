import { adminInvitationsPath } from "#app/admin-paths.ts";
import type { SiteNeed } from "#app/domain/health/health.server.ts";
import { demonstrationId, watchPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { ButtonLine } from "../admin-page.tsx";
import { HealthList } from "../health-list.tsx";
import { NoFolder, ScanProgress, type ScanState } from "./first-scan.tsx";

type Props = { scan: ScanState | null; needs: readonly SiteNeed[]; hasDemonstration: boolean };

/** The last step leads to the first film, or to the demonstration while there is none. */
export const WatchStep = ({ scan, needs, hasDemonstration }: Props) => (
  <>
    <section aria-label="Your first video">
      {scan?.film ? (
        <FirstFilm {...scan.film} />
      ) : (
        <>
          {scan ? <ScanProgress scan={scan} step="watch" /> : <NoFolder />}
          {hasDemonstration && (
            <p>
              <Link className="button" data-kind="primary" to={watchPath(demonstrationId, 1)}>
                Watch the demonstration
              </Link>
            </p>
          )}
        </>
      )}
    </section>
    <section aria-labelledby="invite">
      <h2 id="invite">People</h2>
      <ButtonLine to={adminInvitationsPath()}>Invite somebody</ButtonLine>
    </section>
    <HealthList needs={needs} />
  </>
);

const FirstFilm = ({ malId, title, drawnIn, episode }: NonNullable<ScanState["film"]>) => (
  <div className="setup-first">
    <Poster malId={malId} drawnIn={drawnIn} sizes="190px" loading="eager" />
    <Link className="button" data-kind="primary" to={watchPath(malId, episode)}>
      Watch {title}, episode {episode}
    </Link>
  </div>
);
