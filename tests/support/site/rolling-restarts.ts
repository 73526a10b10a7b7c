import { once } from "node:events";
import postgres from "postgres";
import { driverArguments } from "#db/driver-arguments.ts";
import { type Member, signUpAt } from "#tests/support/requests/session-member.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import type { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** Writes through nginx while the instances behind it restart one after the other, and counts the outcome of each write. */

type Site = Awaited<ReturnType<typeof startTwoInstances>>;
type Failure = { number: number; answer: string };

const membersPerRun = 8;
const writers = 12;
const readers = 4;

export async function startWriting({ origin, settings }: Site) {
  const database = postgres(...driverArguments(settings.DATABASE_URL, { max: 1 }));
  atEnd(() => database.end());
  // The search history keeps one row for equal texts, so only a trigger can detect a write that was made twice.
  await database.unsafe(`
    create table made_writes (query text not null);
    create function note_write() returns trigger language plpgsql as
      $$ begin insert into made_writes values (new.query); return new; end $$;
    create trigger note_write after insert or update on search_history for each row execute function note_write();`);
  const members: Member[] = [];
  for (let at = 0; at < membersPerRun; at++) members.push(await signUpAt(origin, `writer-${at}@example.org`));

  const failures: Failure[] = [];
  const acknowledged = new Set<string>();
  let number = 0;
  let isOver = false;
  const repeat = async (ask: (its: number) => Promise<Response>, onAnswer: (its: number) => void) => {
    while (!isOver) {
      const its = number++;
      try {
        const answer = await ask(its);
        const text = await answer.text();
        if (answer.ok) onAnswer(its);
        else failures.push({ number: its, answer: `${answer.status} ${text.slice(0, 200)}` });
      } catch (error) {
        const { cause } = error as Error;
        failures.push({ number: its, answer: String(cause ?? error) });
      }
    }
  };
  const write = (its: number) =>
    members[its % membersPerRun]!.ask(`${origin}/api/user/searchHistory`, { query: `write ${its}` });
  const read = (its: number) => fetch(`${origin}/api/animes/full?limit_count=3&page=${1 + (its % 100)}`);
  const running = [
    ...Array.from({ length: writers }, () => repeat(write, (its) => acknowledged.add(`write ${its}`))),
    ...Array.from({ length: readers }, () => repeat(read, () => {})),
  ];

  return {
    written: () => acknowledged.size,
    /**
     * Stops the load. `lost` writes were answered but are missing in the database, `doubled` writes are there more than
     * once.
     */
    async stop() {
      isOver = true;
      await Promise.all(running);
      const made = await database<{ query: string; times: number }[]>`
        select query, count(*)::int as times from made_writes group by query`;
      const times = new Map(made.map((row) => [row.query, row.times]));
      return {
        failures,
        lost: [...acknowledged].filter((query) => !times.has(query)),
        doubled: made.filter((row) => row.times > 1).map(({ query }) => query),
      };
    },
  };
}

/** Restarts both instances as an update does: the second one only after the first one answers again. */
export async function restartBoth(site: Site) {
  for (const [at, name] of (["one", "other"] as const).entries()) {
    const { process: stopping } = site[name];
    const closed = once(stopping, "close");
    stopping.kill("SIGTERM");
    await closed;
    site[name] = await site.startAgain(at);
  }
}
