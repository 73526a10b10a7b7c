import { createContext } from "react";

/** The nonce for the page's style element. Only the server sets it. */
export const NonceContext = createContext<string | undefined>(undefined);

/** Reads the nonce of the current page in the browser: after an error, React renders the document again. */
export const nonceOfPage = () =>
  typeof document === "undefined" ? undefined : document.querySelector("style")?.nonce;
