import { createContext } from "react";

/** For the page's one style element. Only the server knows it; the browser keeps it to itself. */
export const NonceContext = createContext<string | undefined>(undefined);
