import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import { isLinkGood, verifyEmail } from "#app/domain/accounts/accounts.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { AccountPage } from "#app/ui/account-page.tsx";
import { ErrorSummary, Notice } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/verify";

export const middleware: Route.MiddlewareFunction[] = [limited("verify", { on: "writes" }), sameOriginPage];
export const headers = () => ({ "Cache-Control": "no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Confirm your address", description: "Shows that an e-mail address is yours." });

/** Opening a link changes nothing, since mail programs open links by themselves; the button does. */
export async function loader({ url }: Route.LoaderArgs) {
  const token = url.searchParams.get("token");
  if (token !== null && (await isLinkGood("verification", token))) return { kind: "confirm", token } as const;
  return { kind: url.searchParams.get("notice") === "verified" ? "verified" : "spent" } as const;
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readForm(z.object({ token: z.string().max(1024) }), request);
  if (!form.ok) return formFaults(form);
  const verified = await verifyEmail(form.value.token);
  if (!verified.ok) return formFaults(verified);
  throw redirect("/verify?notice=verified");
}

export default function Verify({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Confirm your address">
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {view.kind === "confirm" && (
        <Form method="post">
          <input type="hidden" name="token" value={view.token} />
          <p className="lead">One press, and this address is confirmed as yours.</p>
          <button className="button" data-kind="primary" data-wide type="submit">
            Confirm the address
          </button>
        </Form>
      )}
      {view.kind === "verified" && <Notice>Your address is confirmed.</Notice>}
      {view.kind === "spent" && !actionData && <Notice>This link was used already, or is too old.</Notice>}
      {view.kind !== "confirm" && (
        <Link className="button" data-kind="primary" to="/">
          Home
        </Link>
      )}
    </AccountPage>
  );
}
