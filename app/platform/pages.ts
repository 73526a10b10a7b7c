/**
 * Returns the next page of rows each time it is called, and null after the last page. It is a function and not a
 * generator, because a generator would hold its last page in memory for as long as the answer is read.
 */
export type NextPage<Row> = () => Promise<readonly Row[] | null>;

type Keyed<Row, Key> = {
  /** A value that sorts before the key of every row. */
  first: Key;
  keyOf(row: Row): Key;
  /** The rows after the key, in the key's order. */
  select(after: Key): Promise<readonly Row[]>;
  /** The page size: a shorter page is the last one. Without it, only an empty page ends the rows. */
  rows?: number;
};

/**
 * Returns pages in the order of a key that never changes, so a row that exists during the whole reading is in exactly
 * one page.
 */
export function pagesByKey<Row, Key>({ first, keyOf, select, rows = 1 }: Keyed<Row, Key>): NextPage<Row> {
  let after: Key | null = first;
  return async () => {
    if (after === null) return null;
    const page = await select(after);
    const last = page.at(-1);
    after = last === undefined || page.length < rows ? null : keyOf(last);
    return last === undefined ? null : page;
  };
}

/** Converts each page to bytes at once, so that its rows are freed even if the bytes wait long for their reader. */
export async function* bytesOfPages<Row>(
  nextPage: NextPage<Row>,
  write: (page: readonly Row[]) => string,
): AsyncGenerator<Uint8Array> {
  const nextBytes = async () => {
    const page = await nextPage();
    return page && Buffer.from(write(page));
  };
  for (let bytes = await nextBytes(); bytes !== null; bytes = await nextBytes()) yield bytes;
}
