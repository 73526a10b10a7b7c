import type { ReactNode } from "react";
import { providerApiPath } from "#app/paths.ts";

/** One narrow column for signing in and all that belongs to it. */
export function AccountPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="wrap page account-page">
      <div className="account-card">
        <h1>{title}</h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </div>
    </div>
  );
}

/** Leaves our site for the provider's, so it is a form the browser itself sends. */
export function ProviderForm({ provider, redirectTo }: { provider: string; redirectTo: string }) {
  return (
    <>
      <p className="or">or</p>
      <form method="post" action={providerApiPath()}>
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <button className="button" data-kind="ghost" data-wide type="submit">
          Continue with {provider}
        </button>
      </form>
    </>
  );
}
