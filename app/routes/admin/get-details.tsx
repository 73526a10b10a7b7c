import { Form } from "react-router";
import { adminDetailsPath } from "#app/admin-paths.ts";
import { IntentButton } from "./intent-button.tsx";

/** Offers details of titles to operators. `host` gets the numbers of titles. */
export const GetDetails = ({ host }: { host: string }) => (
  <section className="admin-offer" aria-labelledby="get-details">
    <h2 id="get-details">Get details</h2>
    <p className="lead">
      Synopses, characters, people, pictures and where to watch. For this, the numbers of titles with videos
      here, of titles that somebody here lists or opens, and of those that air now go to {host}: at most 1,000
      a day. {host}, and the server of its pictures, see the network address of this site, and nothing about
      you or your members. The answers are kept here, and browsers load nothing from elsewhere.
    </p>
    <Form method="post" action={adminDetailsPath()} className="admin-line">
      <IntentButton intent="on" label="Get details" />
    </Form>
  </section>
);
