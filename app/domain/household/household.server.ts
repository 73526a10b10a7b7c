/** The door of the household: several profiles of one account, children's among them. */

export { findEntry, mayChangePin, switchProfile } from "./entering.server.ts";
export {
  chooseTitle,
  findTitleVerdict,
  listAllowedToWatch,
  listHouseholdTitles,
  markTitlesChosen,
} from "./household-titles.server.ts";
export { getLeavingMode, leaveAccount } from "./leaving.server.ts";
export { hasPin, removePin, savePin } from "./pins.server.ts";
export {
  createProfile,
  deleteProfile,
  findProfile,
  listChildren,
  listProfiles,
  ownerOnlyRefusal,
  updateHouseholdProfile,
} from "./profiles.server.ts";
