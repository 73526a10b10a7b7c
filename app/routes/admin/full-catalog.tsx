import { Form } from "react-router";
import { adminFeedsPath } from "#app/admin-paths.ts";
import { IntentButton } from "./intent-button.tsx";

/** `action`: the page that answers, with the intent `full-catalog`. */
type Props = { host: string; action?: string };

/** Offers the full catalog to operators. */
export const FullCatalog = ({ host, action = adminFeedsPath() }: Props) => (
  <section className="admin-offer" aria-labelledby="full-catalog">
    <h2 id="full-catalog">Get the full catalog</h2>
    <p className="lead">
      One file from {host}: about 28,000 titles, without synopses and age ratings, 512 MB at most. {host}, and
      a server that it redirects to, see the network address of this site, and nothing about you or your
      members. What you changed stays.
    </p>
    <Form method="post" action={action} className="admin-line">
      <label className="check">
        <input type="checkbox" name="weekly" value="1" />
        Renew it every week
      </label>
      <IntentButton intent="full-catalog" label="Get the full catalog" />
    </Form>
  </section>
);
