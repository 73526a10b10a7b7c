import { CustomSource, Input, type InputFormat, Logging, LogLevel } from "mediabunny";
import type { FilmBytes } from "./film-bytes.ts";

/** Opens a film with mediabunny, which then reads only the bytes that it needs. */

// mediabunny would log each codec that it does not know, once for each segment.
Logging.level = LogLevel.Silent;

export function openInput(film: FilmBytes, formats: InputFormat[]): Input {
  const source = new CustomSource({
    getSize: () => film.size,
    read: (from, to) => film.read(from, to - from),
    prefetchProfile: "none",
  });
  return new Input({ source, formats });
}
