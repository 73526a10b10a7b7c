import { useEffect } from "react";
import { Form, Link, useRevalidator } from "react-router";
import { adminFeedsPath } from "#app/paths.ts";
import { IntentButton } from "./intent-button.tsx";

/** The parts of pages for operators that offer the full catalog and follow its progress. */

export const FullCatalog = ({ host }: { host: string }) => (
  <section className="admin-offer" aria-labelledby="full-catalog">
    <h2 id="full-catalog">Get the full catalog</h2>
    <p className="lead">
      One file from {host}: about 28,000 titles, without synopses and age ratings. Its size shows when it is
      fetched; the site takes 512 MB at most. Only the request for it leaves this machine: {host}, and a
      server that it redirects to, see the network address of this site, and nothing about you or your
      members. What you wrote stays.
    </p>
    <Form method="post" action={adminFeedsPath()} className="admin-line">
      <label className="check">
        <input type="checkbox" name="weekly" value="1" />
        Renew it every week
      </label>
      <IntentButton intent="full-catalog" label="Get the full catalog" />
    </Form>
  </section>
);

const lookEveryMs = 3000;

/** Loads the page's data again and again while a feed is read. Without scripts, the link does it once. */
export function FeedProgress() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void revalidate();
    }, lookEveryMs);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <p className="lead">
      <progress aria-label="A feed is being read" />{" "}
      <Link className="link" to={adminFeedsPath()} preventScrollReset>
        See how far it is
      </Link>
    </p>
  );
}
