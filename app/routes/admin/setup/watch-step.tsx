import { adminInvitationsPath, adminSetupPath } from "#app/admin-paths.ts";
import type { SiteNeed } from "#app/domain/health/health.server.ts";
import { watchPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { HealthList } from "../health-list.tsx";
import { ScanProgress, type ScanState } from "./first-scan.tsx";

type Props = { scan: ScanState | null; needs: readonly SiteNeed[] };

/** The last step leads to the first film. */
export const WatchStep = ({ scan, needs }: Props) => (
  <>
    <section aria-label="Your first video">
      {scan === null ? (
        <p className="lead">
          There is no media folder yet.{" "}
          <Link className="link" to={adminSetupPath()}>
            Choose the media folder
          </Link>
        </p>
      ) : (
        scan.film === null && <ScanProgress scan={scan} step="watch" />
      )}
      {scan?.film && <FirstFilm {...scan.film} />}
      {scan?.film === null && !scan.isUnderWay && (
        <p>
          No video has a title yet.{" "}
          <Link className="link" to={adminSetupPath({ step: "found" })}>
            See what was found
          </Link>
        </p>
      )}
    </section>
    <section aria-labelledby="invite">
      <h2 id="invite">People</h2>
      <p>
        <Link className="button" to={adminInvitationsPath()}>
          Invite somebody
        </Link>
      </p>
    </section>
    <HealthList needs={needs} />
  </>
);

const FirstFilm = ({ malId, title, episode }: NonNullable<ScanState["film"]>) => (
  <div className="setup-first">
    <Poster malId={malId} sizes="190px" loading="eager" />
    <Link className="button" data-kind="primary" to={watchPath(malId, episode)}>
      Watch {title}, episode {episode}
    </Link>
  </div>
);
