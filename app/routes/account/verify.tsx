import { Form, redirect } from "react-router";
import { z } from "zod";
import { limitedWrites } from "#app/access/limits.server.ts";
import { isLinkUsable, verifyEmail } from "#app/domain/sign-in/sign-in.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { homePath, verifyPath } from "#app/paths.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { credentialInput } from "#app/wire/credentials.ts";
import type { Route } from "./+types/verify";
import { AccountPage } from "./account-page.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("verify"), sameOriginPage];
export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Confirm your address",
    description: "Confirm that an e-mail address is yours.",
  });

/** Only the button confirms the address. Mail programs open links by themselves, so opening one changes nothing. */
export async function loader({ url }: Route.LoaderArgs) {
  const token = url.searchParams.get("token");
  if (token !== null && (await isLinkUsable("verification", token)))
    return { kind: "confirm", token } as const;
  return { kind: url.searchParams.get("notice") === "verified" ? "verified" : "unusable" } as const;
}

export async function action({ request }: Route.ActionArgs) {
  const form = await readPageForm(z.object({ token: credentialInput }), request);
  if (!form.ok) return formErrorResponse(form);
  const verified = await verifyEmail(form.value.token);
  if (!verified.ok) return formErrorResponse(verified);
  throw redirect(verifyPath({ notice: "verified" }));
}

export default function Verify({ loaderData: view, actionData }: Route.ComponentProps) {
  return (
    <AccountPage title="Confirm your address">
      <ErrorSummary message={actionData?.message} answer={actionData} />
      {view.kind === "confirm" && (
        <Form method="post">
          <input type="hidden" name="token" value={view.token} />
          <p className="lead">Press the button to confirm that this e-mail address is yours.</p>
          <button className="button" data-kind="primary" data-wide type="submit">
            Confirm the address
          </button>
        </Form>
      )}
      {view.kind === "verified" && <Notice>Your address is confirmed.</Notice>}
      {view.kind === "unusable" && !actionData && <Notice>This link was used already, or is too old.</Notice>}
      {view.kind !== "confirm" && (
        <Link className="button" data-kind="primary" to={homePath()}>
          Home
        </Link>
      )}
    </AccountPage>
  );
}
