import { createContext } from "react";

/** For the page's one style element. Only the server knows it beforehand. */
export const NonceContext = createContext<string | undefined>(undefined);

/** In the browser: a page drawn anew, as after a fault, takes it over from the one that stands. */
export const nonceOfPage = () =>
  typeof document === "undefined" ? undefined : document.querySelector("style")?.nonce;
