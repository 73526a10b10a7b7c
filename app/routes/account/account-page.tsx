import type { ReactNode } from "react";
import { providerApiPath } from "#app/paths.ts";
import { OperatorLinks } from "#app/ui/shell/operator-links.tsx";
import { useSiteData } from "#app/ui/shell/site.ts";

/** The layout of the pages for signing in, signing up and links from mails: one narrow column. */
export function AccountPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  const { isClosed, operator } = useSiteData();
  return (
    <div className="wrap page account-page">
      <div className="account-card">
        {operator?.name && <p className="kicker">{operator.name}</p>}
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
        {/* A site that is closed to visitors shows them no footer. */}
        {isClosed && <OperatorLinks />}
      </div>
    </div>
  );
}

/** A plain form: the answer redirects to the provider's site, where the router's fetch cannot follow. */
export function ProviderForm({
  provider,
  redirectTo,
  invitation,
}: {
  provider: string;
  redirectTo: string;
  invitation?: string | undefined;
}) {
  return (
    <>
      <p className="or">or</p>
      <form method="post" action={providerApiPath()}>
        <input type="hidden" name="redirectTo" value={redirectTo} />
        {invitation !== undefined && <input type="hidden" name="invitation" value={invitation} />}
        <button className="button" data-kind="ghost" data-wide type="submit">
          Continue with {provider}
        </button>
      </form>
    </>
  );
}
