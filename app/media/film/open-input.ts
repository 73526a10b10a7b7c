import { CustomSource, Input, type InputFormat, Logging, LogLevel, ReadableStreamSource } from "mediabunny";
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

/** Opens a film that is written while it is read, from its start to its end. */
export function openStream(parts: Iterator<Uint8Array<ArrayBuffer>>, formats: InputFormat[]): Input {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const next = parts.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
  return new Input({ source: new ReadableStreamSource(stream), formats });
}
