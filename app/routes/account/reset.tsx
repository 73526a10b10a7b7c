import { Form, Link, redirect } from "react-router";
import { z } from "zod";
import {
  changePassword,
  confirmReset,
  hasPassword,
  isLinkGood,
  requestReset,
} from "#app/domain/accounts/accounts.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { findCurrentSession } from "#app/http/guard.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { redirectTarget } from "#app/http/redirect-target.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { callerOf, renewedHeaders } from "#app/http/signed-in.server.ts";
import { inBackground } from "#app/platform/background.server.ts";
import { canSendMail } from "#app/platform/mail.server.ts";
import { AccountPage } from "#app/ui/account-page.tsx";
import { faultsByField } from "#app/ui/form-faults.ts";
import { ErrorSummary, Notice } from "#app/ui/form-field.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/reset";

export const middleware: Route.MiddlewareFunction[] = [limited("reset", { on: "writes" }), sameOriginPage];
export const headers = () => ({ "Cache-Control": "no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Set a new password", description: "For when the old one is forgotten." });

type View =
  | { kind: "ask"; mail: boolean; asked: boolean; error: string | undefined }
  | { kind: "spent" }
  | { kind: "confirm"; token: string }
  /** Signed in through the provider, without a password of one's own. */
  | { kind: "set"; removed: boolean; redirectTo: string };

export async function loader({ request, context, url }: Route.LoaderArgs): Promise<View> {
  const asked = url.searchParams;
  const token = asked.get("token");
  if (token !== null)
    return (await isLinkGood("reset", token)) ? { kind: "confirm", token } : { kind: "spent" };
  const session = await findCurrentSession(request, context);
  if (session && !(await hasPassword(session.user.id)))
    return {
      kind: "set",
      removed: asked.get("notice") === "password-removed",
      redirectTo: redirectTarget(asked.get("redirectTo")),
    };
  const error = asked.has("error") ? "That did not work. Check what you typed and try again." : undefined;
  return { kind: "ask", mail: canSendMail(), asked: asked.get("notice") === "asked", error };
}

const text = z.string().max(1024);
const forms = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("ask"), email: text }),
  z.object({ intent: z.literal("confirm"), token: text, password: text }),
  z.object({ intent: z.literal("set"), password: text, redirectTo: z.string().optional() }),
]);

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(forms, request);
  if (!form.ok) return formFaults(form);
  const asked = form.value;
  if (asked.intent === "set") return setPassword(asked, { request, context });
  if (asked.intent === "confirm") {
    const confirmed = await confirmReset(asked, callerOf(request, context));
    if (!confirmed.ok) return formFaults(confirmed);
    throw redirect("/signin?notice=password-set");
  }
  inBackground("a password reset", requestReset(asked.email));
  throw redirect("/reset?notice=asked");
}

type Asked = { password: string; redirectTo?: string | undefined };

async function setPassword(
  { password, redirectTo }: Asked,
  { request, context }: Pick<Route.ActionArgs, "request" | "context">,
) {
  const session = await findCurrentSession(request, context);
  if (!session) return formFaults(refuse("unauthorized", "You are not signed in any more."));
  const changed = await changePassword({ userId: session.user.id, sessionId: session.id, password });
  if (!changed.ok) return formFaults(changed);
  throw redirect(redirectTarget(redirectTo), { headers: await renewedHeaders(changed.value, context) });
}

export default function Reset({ loaderData: view, actionData }: Route.ComponentProps) {
  const faults = faultsByField(actionData);
  const title = view.kind === "set" ? "Set a password" : "Set a new password";
  return (
    <AccountPage title={title}>
      <ErrorSummary
        message={faults.message ?? (view.kind === "ask" ? view.error : undefined)}
        answer={actionData}
      />
      {view.kind === "ask" && <Ask view={view} error={faults.error("email")} />}
      {view.kind === "spent" && (
        <>
          <Notice>This link was used already, or is older than half an hour.</Notice>
          <Link className="button" data-kind="primary" to="/reset">
            Ask for another
          </Link>
        </>
      )}
      {view.kind === "confirm" && (
        <NewPassword intent="confirm" kept={{ token: view.token }} error={faults.error("password")} />
      )}
      {view.kind === "set" && (
        <>
          <Notice>
            {view.removed
              ? "This account had a password, but nobody had ever confirmed its e-mail address. Now that the provider has, that password and every session it opened are gone: they may have been somebody else's."
              : "You sign in through the provider. With a password of your own you can also sign in without it."}
          </Notice>
          <NewPassword intent="set" kept={{ redirectTo: view.redirectTo }} error={faults.error("password")} />
          <Link to={view.redirectTo}>Go on without a password</Link>
        </>
      )}
    </AccountPage>
  );
}

function Ask({ view, error }: { view: Extract<View, { kind: "ask" }>; error: string | undefined }) {
  if (!view.mail)
    return (
      <Notice>
        This site sends no mail. Its operator can give you a link: <code>npm run user -- reset EMAIL</code>
      </Notice>
    );
  if (view.asked)
    return (
      <Notice>If an account has this address, a link is on its way. It works once, for half an hour.</Notice>
    );
  return (
    <Form method="post">
      <input type="hidden" name="intent" value="ask" />
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        autoComplete="username"
        hint="We send a link there."
        error={error}
      />
      <button className="button" data-kind="primary" data-wide type="submit">
        Send the link
      </button>
    </Form>
  );
}

type NewPasswordProps = { intent: string; kept: Record<string, string>; error: string | undefined };

function NewPassword({ intent, kept, error }: NewPasswordProps) {
  return (
    <Form method="post">
      <input type="hidden" name="intent" value={intent} />
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <PasswordField label="New password" autoComplete="new-password" error={error} showRules />
      <button className="button" data-kind="primary" data-wide type="submit">
        Set the password
      </button>
    </Form>
  );
}
