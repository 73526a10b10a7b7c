import { createContext, use } from "react";

/** The number of the request whose answer is an error page. Only the server sets it. */
export const RequestIdContext = createContext<string | undefined>(undefined);

/** In the browser, the number that the page shows already. An error that comes later has none. */
const requestIdOfPage = () =>
  typeof document === "undefined"
    ? undefined
    : (document.querySelector("[data-request-id]")?.textContent ?? undefined);

export const useRequestId = () => use(RequestIdContext) ?? requestIdOfPage();
