import { sourceHeaderNames } from "#db/schema/enumerations.ts";

/** The door of the video proxy for code that also runs in browsers. */

export { openProxyText } from "./access/open-proxy.ts";

/** The headers that an operator may send with a source. */
export { sourceHeaderNames };
export type SourceHeaderName = (typeof sourceHeaderNames)[number];

/** The site accepts the value of a secret header but never shows it again. */
export const isSecretHeader = (name: SourceHeaderName) => name === "Cookie" || name === "Authorization";
