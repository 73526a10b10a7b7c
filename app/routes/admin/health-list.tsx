import { adminFeedsPath, adminFilmsPath, adminInvitationsPath } from "#app/admin-paths.ts";
import type { Trouble } from "#app/domain/health/health.server.ts";
import { Link } from "#app/ui/link.tsx";

const pages: Partial<Record<Trouble["about"], readonly [path: string, label: string]>> = {
  films: [adminFilmsPath(), "Media folder"],
  feed: [adminFeedsPath(), "Feeds"],
  joining: [adminInvitationsPath(), "Invitations"],
};

/** What works only in part, and what an operator can do. */
export const HealthList = ({ troubles }: { troubles: readonly Trouble[] }) => (
  <section aria-labelledby="health">
    <h2 id="health">What needs you</h2>
    {troubles.length === 0 ? (
      <p className="lead">Nothing. The site has all that it needs.</p>
    ) : (
      <ul className="admin-health">
        {troubles.map(({ about, text }) => (
          <li key={text}>
            <span className="admin-warning">{text}</span> <PageLink page={pages[about]} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

const PageLink = ({ page }: { page: readonly [path: string, label: string] | undefined }) =>
  page && (
    <Link className="link" to={page[0]}>
      {page[1]}
    </Link>
  );
