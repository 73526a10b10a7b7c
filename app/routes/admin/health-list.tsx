import {
  adminDetailsPath,
  adminFeedsPath,
  adminFilmsPath,
  adminSetupPath,
  adminUsersPath,
} from "#app/admin-paths.ts";
import type { SiteNeed } from "#app/domain/health/health.server.ts";
import { stepTitles } from "#app/domain/setup/setup.ts";
import { adminPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";

/** The page where an operator handles each need, or reads more about it. Null if nothing on the site can change it. */
const pages: Record<SiteNeed["about"], readonly [path: string, label: string] | null> = {
  films: [adminFilmsPath(), "Media folder"],
  scan: [`${adminFilmsPath()}#scans`, "Scans"],
  undecided: [`${adminFilmsPath()}#films`, "Decide"],
  unplayable: [`${adminFilmsPath()}#passed-over`, "Not played"],
  plays: [`${adminPath()}#plays`, "Failed plays"],
  conversion: [adminFilmsPath(), "Media folder"],
  feed: [adminFeedsPath(), "Feeds"],
  details: [adminDetailsPath(), "Details"],
  mail: [adminUsersPath(), "Users"],
  disk: [`${adminPath()}#now`, "Free disk"],
  joining: [`${adminSetupPath({ step: "people" })}#signUps`, "Who may join"],
  proxy: null,
  folder: [adminSetupPath(), "Choose the folder"],
  setup: null,
  backup: null,
};

/** Everything that needs an operator, with its link if there is a page for it. */
export const HealthList = ({ needs }: { needs: readonly SiteNeed[] }) => (
  <section aria-labelledby="health">
    <h2 id="health">What needs you</h2>
    {needs.length === 0 ? (
      <p className="lead">Nothing needs you.</p>
    ) : (
      <ul className="admin-health">
        {needs.map(({ about, text, isStep, setupStep }) => (
          <li key={text} data-about={about}>
            <span className={isStep ? undefined : "admin-warning"}>{text}</span>{" "}
            <NeedLink
              page={setupStep ? [adminSetupPath({ step: setupStep }), stepTitles[setupStep]] : pages[about]}
            />
          </li>
        ))}
      </ul>
    )}
  </section>
);

const NeedLink = ({ page }: { page: (typeof pages)[SiteNeed["about"]] }) =>
  page && (
    <Link className="link" to={page[0]}>
      {page[1]}
    </Link>
  );
