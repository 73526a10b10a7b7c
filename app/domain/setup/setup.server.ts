/** The door of setting up: the first operator, the steps, and the settings that operators choose on the site. */

export { loadSiteSettings, saveSiteSettings } from "./chosen-settings.server.ts";
export {
  browseFilmFolders,
  chooseFilmFolder,
  listChosenFolders,
  removeFilmFolder,
} from "./film-folders.server.ts";
export { createFirstOperator, findSetupCode, hasOperator } from "./first-operator.server.ts";
export { findOpenSetupStep, passSetupStep } from "./setup-step.server.ts";
