import { Link, useLocation } from "react-router";
import { searchPath, settingsPath } from "#app/paths.ts";
import { useSiteData } from "./site.ts";

type ErrorText = { title: string; text: string };

const errorTexts: Record<number, ErrorText> = {
  404: {
    title: "Nothing here",
    text: "This address leads nowhere, or what stood here has moved. Search for it, or start over from home.",
  },
  403: {
    title: "Hidden by parental control",
    text: "This title is rated for adults, and your settings hide those. You can change that in the settings.",
  },
  429: {
    title: "A little too fast",
    text: "Many requests came from your address within a minute. Wait a moment, then try again.",
  },
  503: {
    title: "Busy right now",
    text: "The site has more to do than it can at this moment. Try again shortly.",
  },
};

const fallbackText = {
  title: "Something went wrong",
  text: "The fault is ours, not yours. Try again; if it stays, tell the operator the number below.",
};

/** What happened, what to do about it, and a number to quote. */
export function ErrorPage({ status, refusal }: { status: number; refusal?: ErrorText | undefined }) {
  const { requestId } = useSiteData();
  const { pathname, search } = useLocation();
  const { title, text } = refusal ?? errorTexts[status] ?? fallbackText;
  const leadsToSettings = status === 403 && !refusal;
  const isFault = status >= 500;
  return (
    <div className="wrap page message">
      <title>{`${title} · Engawa`}</title>
      <p className="message-status" aria-hidden="true">
        {status}
      </p>
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <div className="message-actions">
        {isFault || status === 429 ? (
          <Link className="button" data-kind="primary" to={pathname + search} reloadDocument>
            Try again
          </Link>
        ) : (
          <Link className="button" data-kind="primary" to={leadsToSettings ? settingsPath() : searchPath()}>
            {leadsToSettings ? "Open settings" : "Search"}
          </Link>
        )}
        <Link className="button" to="/">
          Home
        </Link>
      </div>
      {requestId !== "" && (
        <p className="quiet">
          Request <code>{requestId}</code>
        </p>
      )}
    </div>
  );
}
