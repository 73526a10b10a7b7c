import { z } from "zod";
import { sortParam, wordOf } from "./anime-query.server.ts";

/** The parameters of the list of companies, under Jikan's names. */

const maxTextLength = 200;
const text = z.string().trim().max(maxTextLength).optional();

export const producerParams = {
  q: text.describe("Part of the name"),
  letter: text.describe("What the name begins with"),
  order_by: wordOf({
    mal_id: "number",
    count: "titles",
    // The catalog has neither value, so both sort like the number.
    favorites: "number",
    established: "number",
  }),
  sort: sortParam,
};
