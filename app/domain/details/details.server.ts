/** The door of details: what another site tells about titles, asked for once and kept here. */

export { fetchListByName, findListHost } from "./list-by-name.server.ts";
export { fetchLostPicture } from "./pictures.server.ts";
export {
  type DetailProgress,
  findDetailsOffer,
  findDetailTrouble,
  getDetailProgress,
} from "./progress.server.ts";
export {
  askForTitle,
  noteOpenedTitle,
  runDetails,
  startDetails,
  stopDetails,
  workSoon,
} from "./run.server.ts";
