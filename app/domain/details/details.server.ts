/** The door of details: data about titles that this site fetches from another one and stores. */

export { fetchListByName, findListHost, noListRefusal } from "./list-by-name.server.ts";
export { fetchLostPicture } from "./pictures.server.ts";
export {
  type DetailProgress,
  findDetailsOffer,
  findDetailTrouble,
  getDetailProgress,
} from "./progress.server.ts";
export {
  askForTitle,
  noteListedTitles,
  noteOpenedTitle,
  runDetails,
  startDetails,
  stopDetails,
  workSoon,
} from "./run.server.ts";
