/** The door of the video proxy for code that also runs in browsers. */

export { openProxyText } from "./access/open-proxy.ts";
export { isSecretHeader, type SourceHeaderName, sourceHeaderNames } from "./hosts/source-header-names.ts";
