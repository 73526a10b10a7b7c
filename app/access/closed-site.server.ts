import { closedTo } from "#app/http/guards/closed-site.server.ts";
import * as paths from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { jikanError } from "./jikan-errors.server.ts";

/**
 * The paths that a site with `VISITORS=no` answers without a session. Every other route is closed, including new ones.
 */

const openPaths = [
  paths.signInPath(),
  paths.signUpPath(),
  paths.setupPath(),
  paths.resetPath(),
  paths.verifyPath(),
  paths.linkPath(),
  paths.linkContinuePath(),
  paths.deviceApiPath(),
  paths.deviceTokenApiPath(),
  paths.signUpApiPath(),
  paths.signInApiPath(),
  paths.signOutApiPath(),
  paths.providerApiPath(),
  paths.providerCallbackPath(),
  paths.sessionApiPath(),
  paths.resetApiPath(),
  paths.resetConfirmApiPath(),
  paths.verifyApiPath(),
  paths.healthPath(),
  paths.readinessPath(),
  // These paths check their own signature or secret.
  ...paths.signedPatterns,
  ...paths.hookPatterns,
  // Other Engawas send a token of CATALOG_SHARE_TOKEN there.
  ...(env.CATALOG_SHARE === "token" ? [paths.catalogChangesPath()] : []),
];
const openPatterns = new Set(openPaths.map((path) => path.slice(1)));

export const closedSite = closedTo({
  isOpen: (pattern) => openPatterns.has(pattern),
  errorShapeOf: (pattern) => (`/${pattern}`.startsWith(`${paths.jikanPath()}/`) ? jikanError : undefined),
});
