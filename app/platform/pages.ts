/**
 * Makes the next page of rows each time that it is called; null after the last one. It is a function and not a generator,
 * because a generator would hold its last page in memory for as long as the reader of an answer takes it.
 */
export type NextPage<Row> = () => Promise<readonly Row[] | null>;

type Keyed<Row, Key> = {
  /** Comes before the key of every row. */
  first: Key;
  keyOf(row: Row): Key;
  /** The rows behind the key, in its order. */
  select(after: Key): Promise<readonly Row[]>;
  /** A page with fewer rows is the last one. Without it, only a page without rows is. */
  rows?: number;
};

/** Pages in the order of a key that rows keep: a row that is there from beginning to end comes once, whatever else changes. */
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

/** Writes each page to bytes at once. Its rows are then free, however long the bytes wait for their reader. */
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
