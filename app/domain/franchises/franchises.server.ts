/** The door of franchises on the server: the titles that belong together, and the orders in which to watch them. */

export {
  findCorrection,
  type ListedCorrection,
  listCorrections,
  moveCorrections,
  replaceCorrection,
} from "./corrections.server.ts";
export {
  type Franchise,
  type FranchiseAround,
  type FranchisePart,
  type FranchisePlace,
  findFranchise,
  findFranchiseAround,
  findFranchiseNumbered,
  firstOfEachFranchise,
  listBeginnings,
  listFranchiseTitles,
} from "./franchise.server.ts";
export { renewFranchises } from "./renewal.server.ts";
