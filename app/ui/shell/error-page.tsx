import { useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { homePath, searchPath } from "#app/paths.ts";
import { focusHeading } from "../forms/focus-passed-on.ts";
import { Link } from "../link.tsx";
import { useRequestId } from "./request-id.ts";

/** `step`: the first button of the page. */
type ErrorText = { title: string; text: string; step?: { label: string; path: string } };

const tooManyText = {
  title: "Too many requests",
  text: "Wait a minute, then try again.",
};
const busyText = {
  title: "The site is busy",
  text: "The site has too many requests at the moment. Try again shortly.",
};
/** Pages that are refused before the router renders anything use these texts too. */
export const overloadTexts = { tooMany: tooManyText, busy: busyText };

const errorTexts: Record<number, ErrorText> = {
  404: {
    title: "Page not found",
    text: "There is no page at this address. It may have moved. Search for it, or go to the home page.",
  },
  403: {
    title: "This page is not for you",
    text: "This site does not show you this page.",
  },
  429: tooManyText,
  503: busyText,
};

const searchStep = { label: "Search", path: searchPath() };

const fallbackText = {
  title: "Something went wrong",
  text: "The site could not make this page. Try again. If it happens again, tell the operator.",
};

/**
 * Explains the error, offers a next step, and shows the request's id for the operator. A page that was refused on
 * purpose shows its reason instead of the status.
 */
export function ErrorPage({ status, refusal }: { status: number; refusal?: ErrorText | undefined }) {
  const requestId = useRequestId();
  const { pathname, search } = useLocation();
  useFocusAfterFailure();
  const { title, text, step = searchStep }: ErrorText = refusal ?? errorTexts[status] ?? fallbackText;
  const isServerError = status >= 500;
  const isRefused = status === 403 && refusal !== undefined;
  return (
    <div className="wrap page message">
      <title>{`${title} · Engawa`}</title>
      {!isRefused && (
        <p className="message-status" aria-hidden="true">
          {status}
        </p>
      )}
      <h1>{title}</h1>
      <p className="lead">{text}</p>
      <div className="message-actions">
        {isServerError || status === 429 ? (
          <Link className="button" data-kind="primary" to={pathname + search} reloadDocument>
            Try again
          </Link>
        ) : (
          <Link className="button" data-kind="primary" to={step.path}>
            {step.label}
          </Link>
        )}
        {step.path !== homePath() && (
          <Link className="button" to={homePath()}>
            Home
          </Link>
        )}
      </div>
      {requestId !== undefined && (
        <p className="quiet">
          Request <code data-request-id>{requestId}</code>
        </p>
      )}
    </div>
  );
}

/** An error that replaces a page takes the focus: its button is gone. The page that the server sent leaves the focus. */
function useFocusAfterFailure() {
  const isInBrowser = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  const [hasReplacedPage] = useState(isInBrowser);
  useEffect(() => {
    if (hasReplacedPage) focusHeading();
  }, [hasReplacedPage]);
}
