import { useEffect } from "react";
import { Form, useNavigate } from "react-router";
import { linkContinuePath, linkPath, signInPath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { arrowModeChanged } from "#app/ui/arrow-keys/arrow-mode-event.ts";
import { ErrorSummary } from "#app/ui/forms/form-field.tsx";
import { Link } from "#app/ui/link.tsx";
import { QrPicture } from "#app/ui/qr-picture.tsx";
import { storeCode } from "./stored-code.ts";

type Answer = { message: string } | object | undefined;

/** The page before a screen shows its code. A phone that has read the QR code and is not signed in comes here too. */
export function StartScreen({ error, answer }: { error: string | undefined; answer: Answer }) {
  const navigate = useNavigate();
  useEffect(() => {
    if (storeCode()) void navigate(signInPath({ redirectTo: linkPath() }), { replace: true });
  }, [navigate]);
  const message = answer && "message" in answer ? answer.message : error;
  return (
    <>
      <ErrorSummary message={message} answer={answer} />
      <p className="lead">
        Show a code on this screen, and confirm it on a phone or a computer where you are signed in. You type
        no password here.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="show" />
        <label className="check">
          <input type="checkbox" name="arrows" value="on" />
          Move with the arrow keys of a remote control
        </label>
        <button className="button" data-kind="primary" data-wide type="submit">
          Show a code
        </button>
      </Form>
      <p className="account-foot">
        <Link to={signInPath({ redirectTo: linkPath() })}>I have a code from a screen</Link>
        <Link to={signInPath()}>Sign in with a password</Link>
      </p>
    </>
  );
}

type Screen = {
  userCode: string;
  site: string;
  qr: { path: string; rows: number } | null;
  secondsLeft: number;
};

const askEveryMs = 5000;

/**
 * The screen asks by itself whether a member has confirmed the code: a script asks repeatedly, and a browser without
 * scripts loads a page after a while.
 */
export function ScreenCode({ screen: { userCode, site, qr, secondsLeft } }: { screen: Screen }) {
  useEffect(() => {
    // The answer to the form may have set the cookie of the arrow keys.
    document.dispatchEvent(new Event(arrowModeChanged));
    const timer = setInterval(() => void askWhetherSignedIn(), askEveryMs);
    return () => clearInterval(timer);
  }, []);
  const minutesLeft = Math.max(1, Math.round(secondsLeft / 60));
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content={`6;url=${linkContinuePath()}`} />
      </noscript>
      <p className="lead">
        On a phone or a computer where you are signed in, open <b>{site}</b> or read the picture, and type
        this code:
      </p>
      <p className="link-code">{userCode}</p>
      {qr && <QrPicture {...qr} label="QR code with the address of this page and the code above" />}
      <p className="quiet" role="status">
        Waiting for you to confirm. The code expires in {countText(minutesLeft, "minute")}.
      </p>
      <p className="account-foot">
        <a href={linkContinuePath()}>I have confirmed it</a>
        <Link to={signInPath()}>Sign in with a password</Link>
      </p>
    </>
  );
}

/** A failed request is ignored, and the next one asks again. */
async function askWhetherSignedIn() {
  const response = await fetch(linkContinuePath(), { headers: { Accept: "application/json" } }).catch(
    () => null,
  );
  if (!response?.ok) return;
  const { target } = (await response.json()) as { target?: string };
  // Loads a new document, so that none of the visitor's data stays in this one.
  if (target !== undefined) location.assign(target);
}
