import { z } from "zod";
import { describedAs, integer } from "#app/http/endpoint/wire-schema.ts";
import type { PageFacts } from "#app/platform/numbered-pages.ts";
import { mustBeWithin } from "#app/platform/validation-messages.ts";

/** The pages of lists, as Jikan counts them. */

const maxLimit = 25;
const maxPage = 1_000_000;

const whole = (max: number, fallback: number) => {
  const error = mustBeWithin("a whole number", 1, max);
  const parsed = z
    .string()
    .trim()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= 1 && value <= max, error);
  return describedAs(parsed, integer(1, max)).default(fallback);
};

export const pageParam = whole(maxPage, 1).describe("Page number, from 1");
export const limitParam = whole(maxLimit, maxLimit).describe(`Entries on a page, at most ${maxLimit}`);

export const shortPagingObject = z
  .object({ last_visible_page: z.number().int(), has_next_page: z.boolean() })
  .meta({ id: "ShortPagination" });
export const pagingObject = shortPagingObject
  .extend({
    current_page: z.number().int(),
    items: z.object({ count: z.number().int(), total: z.number().int(), per_page: z.number().int() }),
  })
  .meta({ id: "Pagination" });

export const shortPagingOnWire = ({ page, lastPage }: PageFacts): z.output<typeof shortPagingObject> => ({
  last_visible_page: lastPage,
  has_next_page: page < lastPage,
});

export const pagingOnWire = (page: PageFacts, count: number): z.output<typeof pagingObject> => ({
  ...shortPagingOnWire(page),
  current_page: page.page,
  items: { count, total: page.total, per_page: page.perPage },
});
