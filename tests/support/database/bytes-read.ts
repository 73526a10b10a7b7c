import { vi } from "vitest";
import { db, preparedDb } from "#db/client.server.ts";

type Rows = unknown[];
type Client = { unsafe(text: string, bound: unknown[]): PromiseLike<Rows> & { values(): Promise<Rows> } };

/** The bytes, as JSON, of the rows that the work selects outside transactions. */
export async function bytesReadBy(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const count = (rows: Rows) => {
    bytes += JSON.stringify(rows).length;
    return rows;
  };
  const spies = [db, preparedDb].map((one) => {
    const client = (one as unknown as { $client: Client }).$client;
    const unsafe = client.unsafe.bind(client);
    return vi.spyOn(client, "unsafe").mockImplementation((text, bound) => {
      const query = unsafe(text, bound);
      return {
        // biome-ignore lint/suspicious/noThenProperty: the client's queries are lazy promises
        then: (...handlers) => query.then(count).then(...handlers),
        values: async () => count(await query.values()),
      };
    });
  });
  await work();
  for (const spy of spies) spy.mockRestore();
  return bytes;
}
