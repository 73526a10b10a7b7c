/** The door of the video proxy for code that also runs in browsers. */

export { isSecretHeader, type SourceHeaderName, sourceHeaderNames } from "./hosts/source-header-names.ts";
