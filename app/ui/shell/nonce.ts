import { createContext } from "react";

/** The nonce for the page's style element. Only the server sets it. */
export const NonceContext = createContext<string | undefined>(undefined);

/** In the browser, the nonce of the current page: after an error, React renders the document again. */
export const nonceOfPage = () =>
  typeof document === "undefined" ? undefined : document.querySelector("style")?.nonce;
