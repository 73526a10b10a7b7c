import { type ReactNode, useEffect, useRef } from "react";
import { Form, Outlet, useLocation } from "react-router";
import {
  accountExportApiPath,
  apiGuidePath,
  householdPath,
  leaveAccountPath,
  type PreferencesPart,
  pinPath,
  preferencesParts,
  profilesPath,
  type SettingsNoun,
  settingsActionPath,
} from "#app/paths.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { Confirm } from "#app/ui/forms/confirm.tsx";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { ErrorSummary, Notice } from "#app/ui/forms/form-field.tsx";
import { DownloadIcon } from "#app/ui/icons/tool-icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { type SectionId, sectionTitles } from "./contents.tsx";

/** The parts of the settings page. Each form saves its own part, so that saving one loses nothing typed in another. */

/** Preferences have several sections, each with its own form and answer. */
type Section = Exclude<SettingsNoun, "preferences"> | PreferencesPart;
export type PageMessage = { about: Section; text: string; isError?: boolean };

const isPart = (section: Section): section is PreferencesPart =>
  preferencesParts.some((part) => part === section);

export function useIsPosted(section: Section) {
  const { pathname, search } = useLocation();
  if (!isPart(section)) return pathname === settingsActionPath(section);
  const part = new URLSearchParams(search).get("part") ?? preferencesParts[0];
  return pathname === settingsActionPath("preferences") && part === section;
}

/** The result of this section's last change: the answer of its route, or the message that a redirect names. */
export function SectionAnswer({ about, message }: { about: Section; message: PageMessage | null }) {
  if (useIsPosted(about)) return <Outlet />;
  if (message?.about !== about) return null;
  return message.isError ? (
    <ErrorSummary message={message.text} answer={undefined} />
  ) : (
    <Notice>{message.text}</Notice>
  );
}

type SectionProps = { id: SectionId; title?: string; isScriptOnly?: boolean; children: ReactNode };

export function SettingsSection({
  id,
  title = sectionTitles[id],
  isScriptOnly = false,
  children,
}: SectionProps) {
  return (
    <section className={`settings-section${isScriptOnly ? " script-only" : ""}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  );
}

/** The fragment makes a browser without scripts scroll to the section that shows the answer. */
export const formAction = (section: Section) =>
  `${isPart(section) ? settingsActionPath("preferences", { part: section }) : settingsActionPath(section)}#${section}`;

type ActionFormProps = { about: Section; className?: string; children: ReactNode };

/** `replace` because the answer has another path: without it, Back would first show this page again. */
const ActionForm = ({ about, className, children }: ActionFormProps) => (
  <Form
    ref={useFocusPassedOn()}
    method="post"
    action={formAction(about)}
    className={className}
    preventScrollReset
    replace
  >
    {children}
  </Form>
);

export const SaveButton = ({ label = "Save" }: { label?: string }) => (
  <button className="button settings-save" type="submit">
    {label}
  </button>
);

type ClosedPartProps = { about: Section; label: string; isOpen?: boolean; children: ReactNode };

/** A form that is closed until somebody wants it. It stays open when it is refused. */
export function ClosedPart({ about, label, isOpen = false, children }: ClosedPartProps) {
  const isPosted = useIsPosted(about);
  return (
    <details open={isPosted || isOpen}>
      <summary className="link disclosure">{label}</summary>
      {children}
    </details>
  );
}

type SwitchProps = {
  name: string;
  label: string;
  isOn: boolean;
  isLocked?: boolean;
  /** The latest refusal of a change. The switch then shows the stored state again. */
  refusal?: unknown;
  children: ReactNode;
};

/** A browser sends no unticked checkbox, so the hidden field sends "0" in its place. */
export function Switch({ name, label, isOn, isLocked = false, refusal, children }: SwitchProps) {
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each refusal
  useEffect(() => {
    if (refusal && field.current) field.current.checked = isOn;
  }, [refusal]);
  return (
    <div className="settings-switch">
      <label className="check">
        <input ref={field} type="checkbox" name={name} value="1" defaultChecked={isOn} disabled={isLocked} />
        {label}
      </label>
      <p className="quiet">{children}</p>
      <input type="hidden" name={name} value={isLocked ? "1" : "0"} />
    </div>
  );
}

type SessionItem = { id: string; device: string; isCurrent: boolean; seen: string };

export function SessionList({ sessions }: { sessions: readonly SessionItem[] }) {
  return (
    <>
      <ul className="settings-rows">
        {sessions.map(({ id, device, isCurrent, seen }) => (
          <li key={id}>
            <span>
              {device}
              <span className="quiet">{isCurrent ? "This device" : `Last used ${seen}`}</span>
            </span>
            {!isCurrent && (
              <ActionForm about="sessions">
                <input type="hidden" name="id" value={id} />
                <button
                  className="button"
                  data-kind="ghost"
                  data-size="small"
                  type="submit"
                  aria-label={`Sign out ${device}`}
                >
                  Sign out
                </button>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <ActionForm about="sessions">
          <input type="hidden" name="others" value="true" />
          <SaveButton label="Sign out everywhere else" />
        </ActionForm>
      )}
    </>
  );
}

const scopeLabels = { read: "Read", write: "Read and change" };

type TokenItem = { id: string; name: string; scope: keyof typeof scopeLabels; used: string };

export function TokenList({ tokens }: { tokens: readonly TokenItem[] }) {
  return (
    <>
      <p className="quiet">
        A token lets a program of yours use the <Link to={apiGuidePath()}>API</Link> as you. Keep it as secret
        as a password.
      </p>
      {tokens.length > 0 && (
        <ul className="settings-rows">
          {tokens.map(({ id, name, scope, used }) => (
            <li key={id}>
              <span>
                {name}
                <span className="quiet">
                  {scopeLabels[scope]} · {used}
                </span>
              </span>
              <Confirm label="Revoke" about={name} text="Programs that use this token stop working at once.">
                <ActionForm about="tokens">
                  <input type="hidden" name="id" value={id} />
                  <button className="button" data-size="small" type="submit">
                    Revoke {name}
                  </button>
                </ActionForm>
              </Confirm>
            </li>
          ))}
        </ul>
      )}
      {/* The key closes the form and empties its field after a token was created. */}
      <ClosedPart key={tokens.length} about="tokens" label="Create a token">
        <ActionForm about="tokens" className="settings-line">
          <div className="field">
            <label htmlFor="token-name">Name</label>
            <input
              className="input"
              id="token-name"
              name="name"
              required
              maxLength={100}
              autoComplete="off"
            />
          </div>
          <ChoiceSelect label="Access" name="scope" chosen="read" choices={Object.entries(scopeLabels)} />
          <SaveButton label="Create token" />
        </ActionForm>
      </ClosedPart>
    </>
  );
}

export const DownloadData = () => (
  <p>
    <a className="button" data-kind="ghost" href={accountExportApiPath()} download="engawa-account.json">
      <DownloadIcon />
      Download my data
    </a>
  </p>
);

type DeletionProps = { hasPassword: boolean; otherProfiles: readonly string[] };

export function DeleteAccount({ hasPassword, otherProfiles }: DeletionProps) {
  return (
    <div className="settings-danger">
      <ClosedPart about="account" label="Delete my account">
        {/* The browser itself sends this form, so that nothing of the deleted account stays in the page. */}
        <form method="post" action={formAction("account")} className="stack">
          <SectionAnswer about="account" message={null} />
          <p>This deletes your profile, lists, history and pictures at once. It cannot be undone.</p>
          {otherProfiles.length > 0 && (
            <p>It also deletes the other profiles with all that is theirs: {otherProfiles.join(", ")}.</p>
          )}
          {hasPassword ? (
            <div className="field">
              <label htmlFor="delete-password">Your password</label>
              <input
                className="input"
                id="delete-password"
                type="password"
                name="password"
                required
                autoComplete="current-password"
              />
            </div>
          ) : (
            <p className="quiet">
              Your account has no password. If you signed in more than ten minutes ago, sign in through your
              provider again first.
            </p>
          )}
          <SaveButton label="Delete my account for good" />
        </form>
      </ClosedPart>
    </div>
  );
}

/** `others`: the names of the account's other profiles. */
type HouseholdProps = { isOwner: boolean; others: readonly string[] };

export const HouseholdLinks = ({ isOwner, others }: HouseholdProps) => (
  <>
    <p className="quiet">
      {others.length > 0
        ? `This account is shared with ${others.join(", ")}.`
        : "Somebody else who watches with this account can have a profile of their own, with a list and a history."}
    </p>
    <p className="message-actions">
      {others.length > 0 && (
        <Link className="button" data-kind="ghost" to={profilesPath()}>
          Switch profile
        </Link>
      )}
      {others.length > 0 && (
        <Link className="button" data-kind="ghost" to={pinPath()}>
          Your PIN
        </Link>
      )}
      {isOwner ? (
        <Link className="button" data-kind="ghost" to={householdPath()}>
          {others.length > 0 ? "Manage profiles" : "Add a profile"}
        </Link>
      ) : (
        <Link className="button" data-kind="ghost" to={leaveAccountPath()}>
          Make this an account of its own
        </Link>
      )}
    </p>
  </>
);
