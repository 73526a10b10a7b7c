/** The door of scanning for every file: undecided films in words. */

export {
  type DecidedFilm,
  decisionText,
  type OpenFilm,
  type OpenFolder,
} from "./deciding/undecided-films.ts";
export { readHookMessage } from "./hooks/hook-payloads.ts";
