import { createContext, use } from "react";

/** The id of the request whose answer is an error page. Only the server sets it. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** Reads the id that the server rendered into the page. An error that happens later in the browser has none. */
const requestIdOfPage = () =>
  typeof document === "undefined"
    ? undefined
    : (document.querySelector("[data-request-id]")?.textContent ?? undefined);

export const useRequestId = () => use(RequestIdContext) ?? requestIdOfPage();
