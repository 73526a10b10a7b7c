import { type SQL, sql } from "drizzle-orm";

/**
 * The first rows of `sized` by place, as many as fit into `maxBytes`, but at least one. `sized` selects `id`, `place` and
 * `bytes`, and the result is a subquery of `id` and `place`.
 */
export const rowsWithin = (sized: SQL, maxBytes: number): SQL => sql`(
  select id, place from (
    select id, place, sum(bytes) over by_place as bytes_so_far, row_number() over by_place as number
    from (${sized}) as sized
    window by_place as (order by place)
  ) as counted
  where bytes_so_far <= ${sql.raw(`${maxBytes}`)} or number = 1)`;
