import { Form } from "react-router";
import { adminFeedsPath } from "#app/admin-paths.ts";
import { IntentButton } from "./intent-button.tsx";
import { WorkProgress } from "./work-progress.tsx";

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

export const FeedProgress = () => <WorkProgress label="A feed is being read" to={adminFeedsPath()} />;
