import { z } from "zod";
import { optional, variable, wholeNumber } from "../process/variable-values.ts";

/** The operator's settings for films that a browser cannot decode. */
export const conversionVariables = {
  FFMPEG: variable(
    z.string().regex(/^(?:auto|off|.*[/\\].*)$/, "must be auto, off, or the path of a program"),
    "Converts films that a browser cannot decode: auto looks for ffmpeg in PATH, off converts nothing with it, or a path",
    { default: "auto" },
  ),
  FFMPEG_ARGS: variable(
    z.string().transform((text) => text.split(/\s+/).filter((argument) => argument !== "")),
    "Arguments that ffmpeg gets for pictures after those of the site, such as those of a hardware encoder, separated by spaces",
    { default: "" },
  ),
  CONVERSIONS: optional(
    wholeNumber(0, 64),
    "Pictures that are converted at once; 0: sound only; unset: half as many as the cores, at least 1",
  ),
  FILM_CACHE_SIZE: variable(
    wholeNumber(1, 10_000_000),
    "Size of the cache of converted films and extracted subtitles in DATA_DIR, in MiB. Segments on their way to slow viewers take up to a quarter more",
    { default: "2048" },
  ),
};
