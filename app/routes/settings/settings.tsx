import { getCurrentSession, memberPage } from "#app/access/guards/guard.server.ts";
import { visitorPreferencesOfRequest } from "#app/access/viewer.server.ts";
import {
  type FoundSession,
  findEndedSessionsText,
  listSessions,
} from "#app/domain/accounts/accounts.server.ts";
import { isChild, isMinor, isOwner } from "#app/domain/accounts/accounts.ts";
import { listProfiles } from "#app/domain/household/household.server.ts";
import { hasPassword, listAccessTokens } from "#app/domain/sign-in/sign-in.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { accountImportPath, historyPath, linkPath, type SettingsNotice } from "#app/paths.ts";
import { timeAgoText } from "#app/routes/views/date-format.server.ts";
import { noticeIn } from "#app/routes/views/notice.server.ts";
import { Link, LinkLine } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/settings";
import { AccentField } from "./accent-field.tsx";
import { accentPreviews } from "./accent-preview.ts";
import { listActivity } from "./activity.server.ts";
import { ActivityList } from "./activity-list.tsx";
import { passwordTitle, SettingsContents } from "./contents.tsx";
import { KeySwitches } from "./key-switch.tsx";
import { TrackPreferences } from "./playback-fields.tsx";
import { PreferenceForm, PreferenceSwitch, SettingSelect } from "./preference-form.tsx";
import { listZoneChoices, parentalControlText, preferenceChoices } from "./preference-texts.server.ts";
import {
  DeleteAccount,
  DownloadData,
  HouseholdLinks,
  type PageMessage,
  SectionAnswer,
  SessionList,
  SettingsSection,
  TokenList,
} from "./sections.tsx";
import { EmailSection, PasswordForm } from "./sign-in-forms.tsx";

/**
 * The page around the routes that change what it shows. Each of them has its own limiter and guards; this page renders
 * their answers with the rest of the settings, with and without scripts.
 */
export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Settings",
    description: "How the site looks, what it shows, and your account.",
  });

const messages: Record<SettingsNotice, PageMessage> = {
  "appearance-saved": { about: "appearance", text: "Saved." },
  "content-saved": { about: "content", text: "Saved." },
  "viewing-saved": { about: "viewing", text: "Saved." },
  "playback-saved": { about: "playback", text: "Saved." },
  "privacy-saved": { about: "privacy", text: "Saved." },
  "email-changed": {
    about: "email",
    text: "Your e-mail address is changed. All your other devices are signed out.",
  },
  "password-changed": {
    about: "password",
    text: "Your password is changed. All your other devices are signed out, and access tokens made before no longer work.",
  },
  "password-changed-tokens-kept": {
    about: "password",
    text: "Your password is changed. All your other devices are signed out. Your access tokens still work.",
  },
  "session-ended": { about: "sessions", text: "That device is signed out." },
  "sessions-ended": { about: "sessions", text: "All your other devices are signed out." },
  "token-revoked": { about: "tokens", text: "The token is revoked. Programs can no longer use it." },
};

/** When the password endpoint refuses a plain form, it redirects here with only the status in the address. */
const passwordErrors = new Map([
  ["400", "Your current password is wrong, or the new one does not follow the rules."],
]);

function messageIn(url: URL): PageMessage | null {
  const error = url.searchParams.get("error");
  if (error !== null) {
    const text = passwordErrors.get(error) ?? "That did not work. Try again shortly.";
    return { about: "password", text, isError: true };
  }
  return noticeIn(url, messages);
}

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const session = getCurrentSession(context);
  const { user } = session;
  const [tokens, account, profiles] = await Promise.all([
    listAccessTokens(user.id),
    isOwner(user) ? getAccountFacts(session, context) : null,
    listProfiles(user.accountId),
  ]);
  const now = new Date();
  return {
    preferences: user.preferences,
    zones: listZoneChoices(user.preferences.timeZone, visitorPreferencesOfRequest(request).timeZone),
    accent: accentPreviews(user.preferences.accentColor),
    isMinor: isMinor(user.birthday),
    parentalControlHint: parentalControlText(user.preferences.parentalControl, isMinor(user.birthday)),
    choices: preferenceChoices,
    account,
    isChild: isChild(user),
    otherProfiles: profiles.filter(({ id }) => id !== user.id).map(({ name }) => name),
    tokens: tokens.map(({ lastUsedAt, ...token }) => ({ ...token, used: lastUsedText(lastUsedAt, now) })),
    message: messageIn(url),
  };
}

/** Facts that only the first profile sees and changes. */
async function getAccountFacts({ id: sessionId, user }: FoundSession, context: Context) {
  const [sessions, endedSessionsText, activity, userHasPassword] = await Promise.all([
    listSessions(user.id),
    findEndedSessionsText(user.id),
    listActivity(user.id, context),
    hasPassword(user.id),
  ]);
  const now = new Date();
  return {
    hasPassword: userHasPassword,
    email: user.email,
    sessions: sessions.map(({ id, device, profileName, lastSeenAt }) => ({
      id,
      device: user.isOneOfSeveral ? `${device} (${profileName})` : device,
      isCurrent: id === sessionId,
      seen: timeAgoText(lastSeenAt, now),
    })),
    endedSessionsText,
    activity,
  };
}

const lastUsedText = (lastUsedAt: Date | null, now: Date) =>
  lastUsedAt === null ? "never used" : `last used ${timeAgoText(lastUsedAt, now)}`;

export default function Settings({ loaderData: page }: Route.ComponentProps) {
  const { preferences, message } = page;
  return (
    <div className="wrap page settings">
      <h1>Settings</h1>
      <SettingsContents isChild={page.isChild} account={page.account} />
      <SettingsSection id="appearance">
        <PreferenceForm about="appearance" message={message}>
          <SettingSelect label="Theme" name="theme" chosen={preferences.theme} choices={page.choices.theme} />
          <AccentField accent={preferences.accentColor} previews={page.accent} theme={preferences.theme} />
        </PreferenceForm>
      </SettingsSection>
      {!page.isChild && <Content page={page} />}
      <SettingsSection id="viewing">
        <PreferenceForm about="viewing" message={message}>
          <SettingSelect
            label="Show titles in"
            name="titleLanguage"
            chosen={preferences.titleLanguage}
            choices={page.choices.titleLanguage}
          />
          <SettingSelect
            label="Time zone"
            name="timeZone"
            chosen={preferences.timeZone ?? ""}
            choices={page.zones}
          />
          <SettingSelect
            label="Show and enter my scores as"
            name="scoreFormat"
            chosen={preferences.scoreFormat}
            choices={page.choices.scoreFormat}
          />
        </PreferenceForm>
      </SettingsSection>
      <SettingsSection id="playback">
        <PreferenceForm about="playback" message={message}>
          <PreferenceSwitch
            name="skipsSegments"
            label="Skip openings and endings"
            isOn={preferences.skipsSegments}
          >
            Where the site knows them. Going back into one plays it.
          </PreferenceSwitch>
          <PreferenceSwitch
            name="playsNext"
            label="Play the next episode by itself"
            isOn={preferences.playsNext}
          >
            After {page.isChild ? "four" : "five"} episodes without a touch, the player asks whether you are
            still watching.
          </PreferenceSwitch>
          <PreferenceSwitch
            name="listsWatched"
            label="Add what I watch to my list"
            isOn={preferences.listsWatched}
          >
            Finishing a first episode adds the title. Finishing or ticking an episode makes a To Watch title
            Watching.
          </PreferenceSwitch>
          <TrackPreferences preferences={preferences} choices={page.choices} />
        </PreferenceForm>
      </SettingsSection>
      {!page.isChild && <Remembered page={page} />}
      <SettingsSection id="keys" isScriptOnly>
        <KeySwitches />
      </SettingsSection>
      {!page.isChild && <Account page={page} />}
    </div>
  );
}

type PageProps = { page: Route.ComponentProps["loaderData"] };

const Content = ({ page: { preferences, isMinor, parentalControlHint, message } }: PageProps) => (
  <SettingsSection id="content">
    <PreferenceForm about="content" message={message}>
      <PreferenceSwitch
        name="parentalControl"
        label="Parental control"
        isOn={preferences.parentalControl || isMinor}
        isLocked={isMinor}
      >
        {parentalControlHint}
      </PreferenceSwitch>
    </PreferenceForm>
  </SettingsSection>
);

const Remembered = ({ page: { preferences, message } }: PageProps) => (
  <SettingsSection id="privacy">
    <PreferenceForm about="privacy" message={message}>
      <PreferenceSwitch
        name="forgetsWatched"
        label="Do not remember what I watch"
        isOn={preferences.forgetsWatched}
      >
        While this is on, the site does not save where you stopped, ticks no episodes, and adds nothing to
        your history and recommendations. What was saved before stays until you remove it from your{" "}
        <Link to={historyPath()}>history</Link>. Episodes ticked on your list stay ticked.
      </PreferenceSwitch>
      <PreferenceSwitch
        name="trackSearchHistory"
        label="Keep what I search for"
        isOn={preferences.trackSearchHistory}
      >
        Keeps your newest 500 searches. Only you can see them.
      </PreferenceSwitch>
    </PreferenceForm>
  </SettingsSection>
);

/** Sign-in, tokens, the household, activity and the account's data. Not shown to a child's profile. */
const Account = ({ page }: PageProps) => (
  <>
    {page.account !== null && <SignIn account={page.account} message={page.message} />}
    <SettingsSection id="tokens">
      <SectionAnswer about="tokens" message={page.message} />
      <TokenList tokens={page.tokens} />
    </SettingsSection>
    <SettingsSection id="household">
      <HouseholdLinks isOwner={page.account !== null} others={page.otherProfiles} />
    </SettingsSection>
    {page.account !== null && (
      <SettingsSection id="activity">
        <ActivityList activity={page.account.activity} />
      </SettingsSection>
    )}
    <SettingsSection id="account">
      <DownloadData />
      <LinkLine to={accountImportPath()}>Import the file of an account</LinkLine>
      {page.account !== null && (
        <DeleteAccount hasPassword={page.account.hasPassword} otherProfiles={page.otherProfiles} />
      )}
    </SettingsSection>
  </>
);

type AccountFacts = Awaited<ReturnType<typeof getAccountFacts>>;

const SignIn = ({ account, message }: { account: AccountFacts; message: PageMessage | null }) => (
  <>
    <EmailSection account={account} message={message} />
    <SettingsSection id="password" title={passwordTitle(account)}>
      <SectionAnswer about="password" message={message} />
      <PasswordForm
        hasPassword={account.hasPassword}
        isRefused={message?.about === "password" && message.isError === true}
      />
    </SettingsSection>
    <SettingsSection id="sessions">
      <SectionAnswer about="sessions" message={message} />
      {account.endedSessionsText !== null && <p className="quiet">{account.endedSessionsText}</p>}
      <SessionList sessions={account.sessions} />
      <p>
        <Link className="button" data-kind="ghost" to={linkPath()}>
          Sign in a television or another screen
        </Link>
      </p>
    </SettingsSection>
  </>
);
