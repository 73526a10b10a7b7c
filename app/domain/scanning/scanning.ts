/** The door of scanning for code that also runs in browsers: undecided films and hook messages. */

export {
  type DecidedFilm,
  decisionText,
  type UndecidedFilm,
} from "./deciding/undecided-films.ts";
export { readHookMessage } from "./hooks/hook-payloads.ts";
