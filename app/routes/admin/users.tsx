import { useState } from "react";
import { Form } from "react-router";
import { z } from "zod";
import { operatorOf } from "#app/access/actor.server.ts";
import { getCurrentUser, operatorFormError, operatorPage } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { adminUsersPath } from "#app/admin-paths.ts";
import {
  type AccountRecord,
  listAccounts,
  refuseFormerOperator,
  updateAccount,
} from "#app/domain/accounts/accounts.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { createAccount, createResetPath, generatePassword } from "#app/domain/sign-in/sign-in.server.ts";
import { clientContext } from "#app/http/context.server.ts";
import { formErrorResponse, readPageForm } from "#app/http/forms/form.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { canSendMail } from "#app/platform/mail.server.ts";
import { hours } from "#app/platform/units.ts";
import { dayOfText, timeAgoText } from "#app/routes/views/date-format.server.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { Confirm } from "#app/ui/forms/confirm.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/users";
import { AddForm } from "./add-form.tsx";
import {
  type AdminAnswer,
  AdminField,
  AdminPage,
  AdminTable,
  ButtonLine,
  StackedCell,
  StackedRow,
} from "./admin-page.tsx";
import { RowButton } from "./intent-button.tsx";

export const middleware: Route.MiddlewareFunction[] = [limitedWrites("user"), sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Users", description: "Who has an account here." });

const perPage = 100;
/** The longest email. */
const maxWordsLength = 254;

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const after = url.searchParams.get("after")?.toLowerCase() ?? "";
  const words = (url.searchParams.get("q") ?? "").trim().slice(0, maxWordsLength);
  const accounts = await listAccounts({ after, limit: perPage, words });
  const { timeZone } = await getVisit(request, context);
  const reader = { ownId: getCurrentUser(context).id, timeZone, now: new Date() };
  return {
    words,
    hasMail: canSendMail(),
    users: accounts.map((account) => toRow(account, reader)),
    next: accounts.length === perPage ? (accounts.at(-1)?.email ?? null) : null,
  };
}

const toRow = (
  { createdAt, lastSeenAt, hasPassword, hasProvider, ...user }: AccountRecord,
  { ownId, timeZone, now }: { ownId: string; timeZone: string; now: Date },
) => ({
  ...user,
  isOwn: user.id === ownId,
  signsInWith: [hasPassword && "password", hasProvider && "provider"].filter(Boolean).join(", ") || "–",
  since: dayOfText(createdAt, timeZone),
  seen: user.id === ownId ? "now" : lastSeenAt === null ? "–" : seenText(lastSeenAt, now),
});

type Row = ReturnType<typeof toRow>;

/** A session stores at most hourly when it was last seen. */
const seenText = (at: Date, now: Date) =>
  now.getTime() - at.getTime() < hours(1) ? "within the hour" : timeAgoText(at, now);

const change = z.discriminatedUnion("intent", [
  z.object({ intent: z.enum(["disable", "enable", "promote", "demote", "remove-birthday"]), id: z.uuid() }),
  z.object({ intent: z.literal("reset-link"), email: z.string() }),
  z.object({
    intent: z.literal("create"),
    name: z.string(),
    email: z.string(),
    role: z.enum(["user", "operator"]),
    confirmed: z.literal("1").optional(),
  }),
]);

const changes = {
  disable: { update: { disabled: true }, notice: "The account is disabled and signed out everywhere." },
  enable: { update: { disabled: false }, notice: "The account is enabled again." },
  promote: { update: { role: "operator" }, notice: "This account is now an operator." },
  demote: { update: { role: "user" }, notice: "This account is no longer an operator." },
  "remove-birthday": {
    update: { birthday: null },
    notice: "The birthday is removed. Parental control stays on until the member turns it off.",
  },
} as const;

export async function action(args: Route.ActionArgs) {
  const form = await readPageForm(change, args.request);
  if (!form.ok) return formErrorResponse(form);
  if (form.value.intent === "reset-link") return makeResetLink(form.value.email, args);
  if (form.value.intent === "create") return createMember(form.value, args);
  const { update, notice } = changes[form.value.intent];
  const changed = await updateAccount(operatorOf(args.context), form.value.id, update);
  return changed.ok ? { notice } : operatorFormError(changed, args);
}

type NewMember = Extract<z.output<typeof change>, { intent: "create" }>;

const notConfirmed = refuse(
  "invalid",
  "Tick the box as well: an operator can manage videos and accounts, yours too. Nothing was saved.",
);

/** The member chooses the password with the link, so that the operator never knows it. */
async function createMember({ name, email, role, confirmed }: NewMember, args: Route.ActionArgs) {
  if (role === "operator" && confirmed === undefined)
    return formErrorResponse(notConfirmed, { name, email, role });
  const operator = operatorOf(args.context);
  const created = await createAccount(
    { username: name, email, password: generatePassword() },
    {
      actor: operator,
      ...(role === "operator" && { role }),
      admit: (transaction) => refuseFormerOperator(transaction, operator),
    },
  );
  return created.ok
    ? makeResetLink(created.value.email, args, "create")
    : operatorFormError(created, args, { name, email, role });
}

async function makeResetLink(
  email: string,
  args: Route.ActionArgs,
  intent: "create" | "reset-link" = "reset-link",
) {
  const made = await createResetPath(email, operatorOf(args.context));
  if (!made.ok) return operatorFormError(made, args);
  const notice = `With this link, ${email} can set a new password. It works once, for half an hour. Pass it on in private.`;
  return { intent, notice, link: args.context.get(clientContext).origin + made.value };
}

export default function Users({
  loaderData: { users, hasMail, words, next },
  actionData,
}: Route.ComponentProps) {
  return (
    <AdminPage
      title="Users"
      lead={`All accounts, sorted by e-mail address.${hasMail ? confirmText : ""}`}
      answer={actionData}
    >
      <NewMemberForm
        answer={actionData}
        refused={
          actionData && "typed" in actionData && "email" in actionData.typed ? actionData.typed : undefined
        }
      />
      <section aria-label="Accounts">
        <Form method="get" role="search" className="admin-line">
          <AdminField label="E-mail address or name" name="q" type="search" value={words} isOptional />
          <button className="button" type="submit">
            Search
          </button>
          {words !== "" && (
            // Loads the page anew, which empties the field.
            <a className="link" href={adminUsersPath()}>
              Show all
            </a>
          )}
        </Form>
        {users.length === 0 ? (
          <p className="lead">
            {words === "" ? "No more accounts." : `No account has “${words}” in its address or name.`}
          </p>
        ) : (
          <AdminTable
            label="Users"
            isStacked
            columns={["E-mail", "Name", "Role", "Signs in with", "Joined", "Last seen", "Change"]}
          >
            {users.map((user) => (
              <UserRow key={user.id} user={user} hasMail={hasMail} />
            ))}
          </AdminTable>
        )}
        {next !== null && (
          <ButtonLine to={adminUsersPath({ ...(words !== "" && { q: words }), after: next })}>
            Next page
          </ButtonLine>
        )}
      </section>
    </AdminPage>
  );
}

const confirmText =
  " An address is confirmed when somebody opens the link that the site mails to it. An account works without it.";

function UserRow({ user, hasMail }: { user: Row; hasMail: boolean }) {
  return (
    <StackedRow>
      <StackedCell className="admin-address">
        {user.email}
        {!user.verified && hasMail && <span className="quiet"> not confirmed</span>}
      </StackedCell>
      <StackedCell>
        {user.name}
        {user.profiles > 1 && <span className="quiet"> {user.profiles} profiles</span>}
      </StackedCell>
      <StackedCell>
        {[roleLabels[user.role], user.disabled && "disabled", user.isMinor && "under 18"]
          .filter(Boolean)
          .join(", ")}
      </StackedCell>
      <StackedCell data-heading="Signs in with">{user.signsInWith}</StackedCell>
      <StackedCell data-heading="Joined">{user.since}</StackedCell>
      <StackedCell data-heading="Last seen">{user.seen}</StackedCell>
      <StackedCell>
        {user.isOwn ? <span className="quiet">You</span> : <UserButtons user={user} />}
      </StackedCell>
    </StackedRow>
  );
}

/** The changes that an operator can make to another account. A change of rights asks for a confirmation. */
function UserButtons({ user }: { user: Row }) {
  const { id, email } = user;
  return (
    <div className="admin-buttons">
      {user.disabled ? (
        <RowButton fields={{ id }} intent="enable" label="Enable" about={email} />
      ) : (
        <RowButton fields={{ email }} intent="reset-link" label="Password link" about={email} />
      )}
      {changesOf(user).map(({ intent, label, text }) => (
        <Confirm key={intent} label={label} about={email} text={text}>
          <RowButton fields={{ id }} intent={intent} label={`Yes: ${label.toLowerCase()}`} about={email} />
        </Confirm>
      ))}
    </div>
  );
}

const changesOf = ({ email, role, disabled, isMinor }: Row) => [
  ...(disabled
    ? []
    : [
        {
          intent: "disable",
          label: "Disable",
          text: `${email} is signed out everywhere and can no longer sign in. The data stays.`,
        },
      ]),
  role === "operator"
    ? {
        intent: "demote",
        label: "Remove operator role",
        text: `${email} can no longer open these pages.`,
      }
    : {
        intent: "promote",
        label: "Make an operator",
        text: `${email} can then manage videos and accounts, yours too, and take this role away from you.`,
      },
  ...(isMinor
    ? [
        {
          intent: "remove-birthday",
          label: "Remove the birthday",
          text: `It says that ${email} is under 18. Without it, this member can turn parental control off and enter another birthday.`,
        },
      ]
    : []),
];

const roleLabels = { user: "Member", operator: "Operator" } as const;

const roles = [
  ["user", roleLabels.user],
  ["operator", roleLabels.operator],
] as const;

type NewMemberProps = { answer: AdminAnswer; refused: Record<string, string> | undefined };

/**
 * Creates an account, also on a site that is closed to sign-ups. The answer has a link with which the member sets a
 * password. `refused` holds the fields of a refused form, so that they show again without scripts too.
 */
function NewMemberForm({ answer, refused }: NewMemberProps) {
  // The answers to the other forms of the page leave the fields as they are.
  const [typed, setTyped] = useState(refused);
  const isMade = answer !== undefined && "intent" in answer && answer.intent === "create";
  if (typed !== refused && (isMade || refused !== undefined)) setTyped(refused);
  // Stays open after the answer that follows a refusal.
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      open={isOpen || typed !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="button" data-kind="ghost" data-size="small">
        Create an account
      </summary>
      <AddForm intent="create" answer={answer} className="stack">
        <div className="admin-line">
          <AdminField label="Name" name="name" value={typed?.name} />
          <AdminField label="E-mail address" name="email" value={typed?.email} />
          <ChoiceSelect label="Role" name="role" chosen={typed?.role ?? "user"} choices={roles} />
        </div>
        <label className="check">
          <input type="checkbox" name="confirmed" value="1" />
          If it is an operator: they may manage videos and accounts, yours too
        </label>
        <p className="quiet">You get a link to pass on. With it, the new member sets a password.</p>
        <button className="button settings-save" type="submit" name="intent" value="create">
          Create the account
        </button>
      </AddForm>
    </details>
  );
}
