import { adminFeedsPath, adminFilmsPath, adminWishesPath } from "#app/admin-paths.ts";
import type { SiteCounts } from "#app/domain/health/health.server.ts";
import { Count } from "#app/ui/count.tsx";
import { Link } from "#app/ui/link.tsx";

type SiteNumbersView = Omit<SiteCounts, "freeDiskBytes" | "lastBackupAt" | "firstAccountAt"> & {
  freeDisk: string;
  lastBackup: string;
};

/** The current numbers of the site. */
export const SiteNumbers = ({ numbers, version }: { numbers: SiteNumbersView; version: string }) => (
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
      <Count label={<a href="#plays">Failed plays in 7 days</a>}>{numbers.failedPlays}</Count>
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
