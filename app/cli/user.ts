import { isIPv6 } from "node:net";
import { text as readText } from "node:stream/consumers";
import {
  type AccountRecord,
  changeAccount,
  findAccountId,
  listAccounts,
} from "#app/domain/accounts/accounts.server.ts";
import { migrateWithBackup } from "#app/domain/backup/backup.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { commandLine } from "#app/domain/events/events.server.ts";
import { deleteUnusedPictures } from "#app/domain/images/images.server.ts";
import {
  createInvitation,
  maxInvitationNoteLength,
  ordinaryInvitation,
} from "#app/domain/joining/joining.server.ts";
import {
  createAccount,
  createResetPath,
  deleteAccount,
  generatePassword,
} from "#app/domain/sign-in/sign-in.server.ts";
import { invitationPath } from "#app/paths.ts";
import { browsableUrl } from "#app/platform/browsable-url.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import {
  defineTool,
  type FlagsOf,
  type Streams,
  type ToolAnswer,
  UsageError,
} from "#app/platform/process/run-tool.server.ts";
import { missingDatabaseText, usesDatabase } from "#db/client.server.ts";

/** `npm run user`: manages accounts from a shell. */

const usage = `Usage: ${commandText("user", "COMMAND [EMAIL] [options]")}

  create EMAIL --name NAME   create an account, even if sign-up is closed, and print a random password
      --password-stdin       read the password from standard input instead
      --operator             give the account the operator role
  operator EMAIL             give the operator role (--remove removes it)
  disable EMAIL              disable the account and end its sessions (--undo enables it again)
  invite                     print a link with which one person can sign up within 7 days
      --note TEXT            says whom the link is for
  reset EMAIL                print a link that sets a new password. It works once, for 30 minutes
  remove-birthday EMAIL      remove the birthday. A member whose birthday says under 18 cannot change it
  list                       list all accounts
  delete EMAIL --yes         delete the account and all its data

Without PUBLIC_URL, a link is for this machine. For another device, put an address there that it can reach.

  --json   print JSON          --help   this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = {
  name: { type: "string" },
  note: { type: "string" },
  "password-stdin": { type: "boolean" },
  operator: { type: "boolean" },
  remove: { type: "boolean" },
  undo: { type: "boolean" },
  yes: { type: "boolean" },
  json: { type: "boolean" },
} as const;

type Flags = FlagsOf<typeof options>;
type Command = (email: string, flags: Flags, streams: Streams) => Promise<Outcome<ToolAnswer>>;

const commands: Record<string, Command> = {
  create,
  operator,
  disable,
  invite,
  reset,
  "remove-birthday": removeBirthday,
  list,
  delete: deleteAccountOf,
};

const withoutEmail = new Set(["list", "invite"]);

async function create(email: string, flags: Flags, { stdin }: Streams): Promise<Outcome<ToolAnswer>> {
  if (!flags.name) throw new UsageError("create needs --name NAME");
  const typed = flags["password-stdin"] ? (await readText(stdin)).replace(/\r?\n$/, "") : undefined;
  const password = typed ?? generatePassword();
  const created = await createAccount({ email, username: flags.name, password });
  if (!created.ok) return refuse(created.reason, created.message?.replace(/^username /, "--name "));
  if (flags.operator) await changeAccount(created.value.id, { role: "operator" }, commandLine);
  const { id, name } = created.value;
  const role = flags.operator ? "operator" : "user";
  return done({
    text: `Created ${created.value.email}${flags.operator ? ", an operator" : ""}.${typed === undefined ? `\nPassword: ${password}` : ""}`,
    json: { id, email: created.value.email, name, role, ...(typed === undefined && { password }) },
  });
}

async function operator(email: string, flags: Flags): Promise<Outcome<ToolAnswer>> {
  const role = flags.remove ? "user" : "operator";
  return change(
    email,
    (id) => changeAccount(id, { role }, commandLine),
    `${email} is ${flags.remove ? "no longer an operator" : "now an operator"}.`,
    { role },
  );
}

async function disable(email: string, flags: Flags): Promise<Outcome<ToolAnswer>> {
  const disabled = !flags.undo;
  const text = disabled ? `${email} is disabled and cannot sign in.` : `${email} can sign in again.`;
  return change(email, (id) => changeAccount(id, { disabled }, commandLine), text, { disabled });
}

async function removeBirthday(email: string): Promise<Outcome<ToolAnswer>> {
  const text = `The birthday of ${email} is removed. Parental control stays on until the member turns it off.`;
  return change(email, (id) => changeAccount(id, { birthday: null }, commandLine), text, { birthday: null });
}

async function deleteAccountOf(email: string, flags: Flags): Promise<Outcome<ToolAnswer>> {
  if (!flags.yes) throw new UsageError("delete cannot be undone. Add --yes to confirm");
  const deleted = await change(email, deleteAccount, `${email} and all its data are deleted.`, {
    deleted: true,
  });
  if (deleted.ok) await deleteUnusedPictures();
  return deleted;
}

async function change(
  email: string,
  work: (userId: string) => Promise<boolean>,
  text: string,
  json: Record<string, unknown>,
): Promise<Outcome<ToolAnswer>> {
  const id = await findAccountId(email);
  if (id === null || !(await work(id))) return refuse("not_found", `No account has the email ${email}`);
  return done({ text, json: { id, ...json } });
}

async function invite(_: string, flags: Flags): Promise<Outcome<ToolAnswer>> {
  const made = await createInvitation(
    { ...ordinaryInvitation, note: (flags.note ?? "").slice(0, maxInvitationNoteLength) },
    commandLine,
  );
  if (!made.ok) return made;
  const url = siteUrl(invitationPath(made.value.secret));
  return done({ text: url, json: { link: url } });
}

function siteUrl(path: string) {
  const host = isIPv6(env.HOST) ? `[${env.HOST}]` : env.HOST;
  return `${env.PUBLIC_URL ?? browsableUrl(`http://${host}:${env.PORT}`)}${path}`;
}

async function reset(email: string): Promise<Outcome<ToolAnswer>> {
  const link = await createResetPath(email);
  if (!link.ok) return link;
  const url = siteUrl(link.value);
  return done({ text: url, json: { link: url } });
}

async function list(): Promise<Outcome<ToolAnswer>> {
  const accounts: AccountRecord[] = [];
  for (let page = await listAccounts({ limit: 500 }); page.length > 0; ) {
    accounts.push(...page);
    page = await listAccounts({ limit: 500, after: page.at(-1)?.email });
  }
  return done({ text: accounts.map(lineOf).join("\n") || "No accounts yet.", json: accounts });
}

function lineOf(account: AccountRecord) {
  const ways = [account.hasPassword && "password", account.hasProvider && "provider"].filter(Boolean);
  const state = [
    account.role === "operator" && "operator",
    account.disabled && "disabled",
    !account.verified && "unverified",
  ];
  const profiles = account.profiles > 1 ? ` (${account.profiles} profiles)` : "";
  const seen = account.lastSeenAt ? `seen ${account.lastSeenAt.toISOString().slice(0, 10)}` : "no session";
  return [
    account.email,
    account.name + profiles,
    ways.join("+") || "no password",
    seen,
    state.filter(Boolean).join(" "),
  ]
    .join("\t")
    .trimEnd();
}

async function run([name = "", email = "", ...more]: string[], flags: Flags, streams: Streams) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(name ? `The command ${name} does not exist` : "The command is missing");
  const takesEmail = !withoutEmail.has(name);
  if (more.length > 0 || takesEmail === (email === ""))
    throw new UsageError(takesEmail ? `${name} takes one email` : `${name} takes no email`);
  const missing = name === "create" ? null : missingDatabaseText();
  if (missing !== null) return refuse("not_found", missing);
  await migrateWithBackup();
  return command(email, flags, streams);
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });
