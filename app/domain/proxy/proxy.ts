/** The door of the video proxy for every file. */

export { isSecretHeader, type SourceHeaderName, sourceHeaderNames } from "./hosts/source-header-names.ts";
