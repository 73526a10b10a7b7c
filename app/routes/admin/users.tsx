import { Form, Link } from "react-router";
import { z } from "zod";
import { type AccountRecord, changeAccount, listAccounts } from "#app/domain/accounts/accounts.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentUser, operatorPage } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { AdminPage, Field, Table } from "#app/ui/admin/admin-page.tsx";
import { IntentButton } from "#app/ui/admin/intent-button.tsx";
import { agoWords, dateWords } from "#app/ui/moments.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/users";

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Users", description: "Who has an account here." });

const perPage = 100;

export async function loader({ context, url }: Route.LoaderArgs) {
  const after = url.searchParams.get("after")?.toLowerCase() ?? "";
  const accounts = await listAccounts({ after, limit: perPage });
  const [now, own] = [new Date(), currentUser(context).id];
  return {
    after,
    users: accounts.map((account) => toRow(account, own, now)),
    next: accounts.length === perPage ? (accounts.at(-1)?.email ?? null) : null,
  };
}

const toRow = (
  { createdAt, lastSeenAt, hasPassword, hasProvider, ...user }: AccountRecord,
  own: string,
  now: Date,
) => ({
  ...user,
  isOwn: user.id === own,
  enters: [hasPassword && "password", hasProvider && "provider"].filter(Boolean).join(", ") || "–",
  since: dateWords(createdAt.toISOString()),
  seen: lastSeenAt === null ? "–" : agoWords(lastSeenAt, now),
});

const id = z.uuid();
const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("disable"), id }),
  z.object({ intent: z.literal("enable"), id }),
  z.object({ intent: z.literal("promote"), id }),
  z.object({ intent: z.literal("demote"), id }),
]);

const changes = {
  disable: { does: { disabled: true }, notice: "The account is disabled and signed out everywhere." },
  enable: { does: { disabled: false }, notice: "The account works again." },
  promote: { does: { role: "operator" }, notice: "The account is an operator's now." },
  demote: { does: { role: "user" }, notice: "The account is no operator's any more." },
} as const;

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const { does, notice } = changes[form.value.intent];
  const changed = await changeAccount(currentUser(context).id, form.value.id, does);
  return changed.ok ? { notice } : formFaults(changed);
}

export default function Users({ loaderData: { users, after, next }, actionData }: Route.ComponentProps) {
  return (
    <AdminPage title="Users" lead="Everybody with an account, by e-mail address." answer={actionData}>
      <Form method="get" className="admin-line">
        <Field label="Start after the address" name="after" value={after} isOptional />
        <button className="button" type="submit">
          Show
        </button>
      </Form>
      <section aria-label="Accounts">
        {users.length === 0 ? (
          <p className="lead">There is nobody after this address.</p>
        ) : (
          <Table label="Users" columns={["E-mail", "Name", "Role", "Gets in by", "Since", "Seen", "Change"]}>
            {users.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </Table>
        )}
        {next !== null && (
          <p>
            <Link className="button" to={`/admin/users?after=${encodeURIComponent(next)}`}>
              Next page
            </Link>
          </p>
        )}
      </section>
    </AdminPage>
  );
}

function UserRow({ user }: { user: ReturnType<typeof toRow> }) {
  const isOperator = user.role === "operator";
  return (
    <tr>
      <td className="admin-address">
        {user.email}
        {!user.verified && <span className="quiet"> unverified</span>}
      </td>
      <td>{user.name}</td>
      <td>{[user.role, user.disabled && "disabled"].filter(Boolean).join(", ")}</td>
      <td>{user.enters}</td>
      <td>{user.since}</td>
      <td>{user.seen}</td>
      <td>
        {user.isOwn ? (
          <span className="quiet">You</span>
        ) : (
          <Form method="post" preventScrollReset className="admin-buttons">
            <input type="hidden" name="id" value={user.id} />
            <IntentButton
              intent={user.disabled ? "enable" : "disable"}
              words={user.disabled ? "Enable" : "Disable"}
              about={user.email}
            />
            <IntentButton
              intent={isOperator ? "demote" : "promote"}
              words={isOperator ? "Make a user" : "Make an operator"}
              about={user.email}
            />
          </Form>
        )}
      </td>
    </tr>
  );
}
