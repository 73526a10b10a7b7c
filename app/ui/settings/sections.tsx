import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { ChoiceSelect } from "../choice-select.tsx";
import { TrashIcon } from "../icons.tsx";
import { DownloadIcon } from "../tool-icons.tsx";

/** The parts of the settings page. Each is a form of its own, so that saving one loses nothing of another. */

export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="settings-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div className="stack">{children}</div>
    </section>
  );
}

export const Save = ({ intent, words = "Save" }: { intent: string; words?: string }) => (
  <button className="button settings-save" type="submit" name="intent" value={intent}>
    {words}
  </button>
);

type SwitchProps = { name: string; label: string; isOn: boolean; isLocked?: boolean; children: ReactNode };

/** A switch that says what it does now; without it ticked the hidden value counts. */
export function Switch({ name, label, isOn, isLocked = false, children }: SwitchProps) {
  return (
    <div className="settings-switch">
      <label className="check">
        <input type="checkbox" name={name} value="1" defaultChecked={isOn} disabled={isLocked} />
        {label}
      </label>
      <p className="quiet">{children}</p>
      <input type="hidden" name={name} value={isLocked ? "1" : "0"} />
    </div>
  );
}

export type SessionItem = { id: string; device: string; isCurrent: boolean; seen: string };

export function Sessions({ sessions }: { sessions: readonly SessionItem[] }) {
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
              <Form method="post" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <button
                  className="button"
                  data-kind="ghost"
                  data-size="small"
                  type="submit"
                  name="intent"
                  value="end-session"
                  aria-label={`Sign out ${device}`}
                >
                  Sign out
                </button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form method="post" preventScrollReset>
          <Save intent="end-others" words="Sign out everywhere else" />
        </Form>
      )}
    </>
  );
}

const scopes = [
  ["read", "read"],
  ["write", "read and change"],
] as const;

export type TokenItem = { id: string; name: string; scope: string; used: string };

export function Tokens({ tokens, fresh }: { tokens: readonly TokenItem[]; fresh: string | null }) {
  return (
    <>
      <p className="quiet">
        For programs of your own that call the <Link to="/api">API</Link>. A token stands for you: keep it
        like a password.
      </p>
      {fresh !== null && (
        <div className="form-notice" role="status">
          <p>
            Your new token, shown this once: <code className="settings-token">{fresh}</code>
          </p>
        </div>
      )}
      {tokens.length > 0 && (
        <ul className="settings-rows">
          {tokens.map(({ id, name, scope, used }) => (
            <li key={id}>
              <span>
                {name}
                <span className="quiet">
                  {scope === "read" ? "May read" : "May read and change"} · {used}
                </span>
              </span>
              <Form method="post" preventScrollReset>
                <input type="hidden" name="id" value={id} />
                <button
                  className="icon-button"
                  type="submit"
                  name="intent"
                  value="revoke-token"
                  aria-label={`Revoke ${name}`}
                >
                  <TrashIcon />
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form method="post" preventScrollReset className="settings-line">
        <div className="field">
          <label htmlFor="token-name">Name</label>
          <input className="input" id="token-name" name="name" required maxLength={100} autoComplete="off" />
        </div>
        <ChoiceSelect label="May" name="scope" chosen="read" choices={scopes} />
        <Save intent="create-token" words="Make a token" />
      </Form>
    </>
  );
}

export function Privacy({ hasPassword }: { hasPassword: boolean }) {
  return (
    <>
      <p>
        <a className="button" data-kind="ghost" href="/api/user/export" download="engawa-account.json">
          <DownloadIcon />
          Download my data
        </a>
      </p>
      <details className="settings-danger">
        <summary className="link">Delete my account</summary>
        <Form method="post" className="stack">
          <p>Your profile, lists, history and pictures are deleted at once. This cannot be taken back.</p>
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
              You have no password here: sign in through your provider again first, if that was a while ago.
            </p>
          )}
          <Save intent="delete-account" words="Delete my account for good" />
        </Form>
      </details>
    </>
  );
}
