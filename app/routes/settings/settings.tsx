import { Form, redirect } from "react-router";
import { z } from "zod";
import {
  createAccessToken,
  deleteAccessToken,
  deleteAccount,
  endSessionOf,
  endSessions,
  hasPassword,
  listAccessTokens,
  listSessions,
  mayDeleteAccount,
  savePreferences,
} from "#app/domain/accounts/accounts.server.ts";
import { isMinor } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { titleLanguages } from "#app/domain/visitor/visitor.ts";
import type { Context } from "#app/http/context.server.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { currentSession, memberPage } from "#app/http/guard.server.ts";
import { limited } from "#app/http/rate-limit.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { signedOutHeaders } from "#app/http/signed-in.server.ts";
import { viewerOf, visitorCookieOf } from "#app/http/viewer.server.ts";
import { normalizeHex } from "#app/ui/accent.ts";
import { accentPreview } from "#app/ui/accent-preview.ts";
import { ChoiceSelect } from "#app/ui/choice-select.tsx";
import { ErrorSummary, Notice } from "#app/ui/form-field.tsx";
import { agoWords } from "#app/ui/moments.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import { AccentField } from "#app/ui/settings/accent-field.tsx";
import { PasswordForm } from "#app/ui/settings/password-form.tsx";
import { Privacy, Save, Section, Sessions, Switch, Tokens } from "#app/ui/settings/sections.tsx";
import { contentWords, titleLanguageNames } from "#app/ui/settings/viewing.ts";
import { zonesWith } from "#app/ui/time-zones.ts";
import type { Route } from "./+types/settings";

export const middleware: Route.MiddlewareFunction[] = [
  limited("password", { on: "writes" }),
  sameOriginPage,
  memberPage,
];
export const headers = ({ actionHeaders }: Route.HeadersArgs) => {
  actionHeaders.set("Cache-Control", "private, no-store");
  return actionHeaders;
};
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "Settings",
    description: "How the site looks, what it shows, and your account.",
  });

const notices = new Map([
  ["saved", "Saved."],
  ["password-changed", "Your password is changed. Other devices are signed out."],
]);
/** The endpoint's own words for what is wrong stay behind when it sends the form back. */
const errors = new Map([
  ["400", "That is not your current password, or the new one does not keep the rules."],
]);

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { id: sessionId, user } = currentSession(context);
  const { timeZone } = await viewerOf(request, context);
  const [sessions, tokens, ownsPassword] = await Promise.all([
    listSessions(user.id),
    listAccessTokens(user.id),
    hasPassword(user.id),
  ]);
  const now = new Date();
  const error = url.searchParams.get("error");
  return {
    preferences: user.preferences,
    timeZone,
    zones: zonesWith(timeZone),
    accent: accentPreview(user.preferences.enfasiscolor),
    isMinor: isMinor(user.birthday),
    contentWords: contentWords(user.preferences.parentalControl, isMinor(user.birthday)),
    languages: Object.entries(titleLanguageNames),
    hasPassword: ownsPassword,
    sessions: sessions.map(({ id, device, lastSeenAt }) => ({
      id,
      device,
      isCurrent: id === sessionId,
      seen: agoWords(lastSeenAt, now),
    })),
    tokens: tokens.map(({ lastUsedAt, ...token }) => ({ ...token, used: usedWords(lastUsedAt, now) })),
    notice: notices.get(url.searchParams.get("notice") ?? ""),
    error: error === null ? undefined : (errors.get(error) ?? "That did not work. Try again shortly."),
  };
}

const usedWords = (lastUsedAt: Date | null, now: Date) =>
  lastUsedAt === null ? "never used" : `last used ${agoWords(lastUsedAt, now)}`;

const ticked = z.enum(["0", "1"]).transform((value) => value === "1");
const change = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("appearance"),
    enfasiscolor: z.string().transform((text) => normalizeHex(text) ?? undefined),
  }),
  z.object({ intent: z.literal("content"), parentalControl: ticked, trackSearchHistory: ticked }),
  z.object({ intent: z.literal("viewing"), titleLanguage: z.enum(titleLanguages), timeZone: z.string() }),
  z.object({ intent: z.literal("end-session"), id: z.uuid() }),
  z.object({ intent: z.literal("end-others") }),
  z.object({
    intent: z.literal("create-token"),
    name: z.string().trim().min(1).max(100),
    scope: z.enum(["read", "write"]),
  }),
  z.object({ intent: z.literal("revoke-token"), id: z.uuid() }),
  z.object({ intent: z.literal("delete-account"), password: z.string().max(1024).optional() }),
]);
type Change = z.output<typeof change>;
type Done = { notice: string; token?: string };

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const outcome = await apply(form.value, request, context);
  return outcome.ok ? outcome.value : formFaults(outcome);
}

async function apply(form: Change, request: Request, context: Context): Promise<Outcome<Done>> {
  const { id: sessionId, signedInAt, user } = currentSession(context);
  switch (form.intent) {
    case "end-session":
      await endSessionOf(user.id, form.id);
      return done({ notice: "That device is signed out." });
    case "end-others":
      await endSessions(user.id, { except: sessionId });
      return done({ notice: "All other devices are signed out." });
    case "create-token": {
      const made = await createAccessToken(user.id, form);
      return made.ok ? done({ notice: "The token is made.", token: made.value.token }) : made;
    }
    case "revoke-token":
      await deleteAccessToken(user.id, form.id);
      return done({ notice: "The token is revoked." });
    case "delete-account": {
      const allowed = await mayDeleteAccount({ userId: user.id, signedInAt, password: form.password });
      if (!allowed.ok) return allowed;
      await deleteAccount(user.id);
      throw redirect("/", { headers: await signedOutHeaders(request, context) });
    }
    default:
      return savePreferencesOf(user.id, form, request, context);
  }
}

type PreferenceForm = Extract<Change, { intent: "appearance" | "content" | "viewing" }>;

/** The page is asked for anew, so that it comes in its new color and words. */
async function savePreferencesOf(
  userId: string,
  { intent: _, ...wanted }: PreferenceForm,
  request: Request,
  context: Context,
): Promise<Outcome<Done>> {
  const saved = await savePreferences(userId, wanted);
  if (!saved.ok) return saved;
  throw redirect("/settings?notice=saved", {
    headers: { "Set-Cookie": visitorCookieOf(saved.value, request, context) },
  });
}

export default function Settings({ loaderData: page, actionData }: Route.ComponentProps) {
  const { preferences } = page;
  const answer = actionData && "notice" in actionData ? actionData : undefined;
  const fault = actionData && "message" in actionData ? actionData.message : page.error;
  const notice = answer?.notice ?? page.notice;
  return (
    <div className="wrap page settings">
      <h1>Settings</h1>
      {notice && <Notice>{notice}</Notice>}
      <ErrorSummary message={fault} answer={actionData} />
      <Section id="appearance" title="Appearance">
        <Form method="post" className="stack" preventScrollReset>
          <AccentField accent={preferences.enfasiscolor} preview={page.accent} />
          <Save intent="appearance" />
        </Form>
      </Section>
      <Section id="content" title="Content">
        <Form method="post" className="stack" preventScrollReset>
          <Switch
            name="parentalControl"
            label="Parental control"
            isOn={preferences.parentalControl || page.isMinor}
            isLocked={page.isMinor}
          >
            {page.contentWords}
          </Switch>
          <Switch
            name="trackSearchHistory"
            label="Keep what I search for"
            isOn={preferences.trackSearchHistory}
          >
            The newest 500 searches, for you alone.
          </Switch>
          <Save intent="content" />
        </Form>
      </Section>
      <Section id="viewing" title="Titles and times">
        <Form method="post" className="stack" preventScrollReset>
          <ChoiceSelect
            label="Show titles in"
            name="titleLanguage"
            chosen={preferences.titleLanguage}
            choices={page.languages}
          />
          <ChoiceSelect label="Time zone" name="timeZone" chosen={page.timeZone} choices={page.zones} />
          <Save intent="viewing" />
        </Form>
      </Section>
      <Section id="password" title={page.hasPassword ? "Password" : "Set a password"}>
        <PasswordForm hasPassword={page.hasPassword} />
      </Section>
      <Section id="sessions" title="Where you are signed in">
        <Sessions sessions={page.sessions} />
      </Section>
      <Section id="tokens" title="Access tokens">
        <Tokens tokens={page.tokens} fresh={answer?.token ?? null} />
      </Section>
      <Section id="privacy" title="Your data">
        <Privacy hasPassword={page.hasPassword} />
      </Section>
    </div>
  );
}
