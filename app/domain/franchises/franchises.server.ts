/** The door of franchises on the server: the titles that belong together, and the orders in which to watch them. */

export { type Franchise, findFranchise } from "./franchise.server.ts";
export { renewFranchises } from "./renewal.server.ts";
