/** Changes of a catalog as an operator imports them: titles, episodes, relations and segments, the same in each run. */

type Line = Record<string, unknown>;

const titleCount = 60;
const changesPerMinute = 10;
const firstMalId = 700_001;

/** An hour of changes in this many parts. The first part contains every title. */
export function changesOfAnHour(parts: number): Line[][] {
  const numbers = pseudoRandom(17);
  const below = (limit: number) => numbers.next().value % limit;
  const known = Array.from({ length: titleCount }, (_, at) => titleLine(firstMalId + at, 0));
  const perPart = Math.ceil((60 * changesPerMinute) / parts);
  return Array.from({ length: parts }, (_, part) => [
    ...(part === 0 ? known : []),
    ...Array.from({ length: perPart }, () => changeOf(firstMalId + below(titleCount), below)),
  ]);
}

function changeOf(malId: number, below: (limit: number) => number): Line {
  const number = 1 + below(24);
  switch (below(5)) {
    case 0:
      return {
        kind: "episode",
        mal_id: malId,
        number,
        title: `Part ${below(1000)}`,
        date: `2026-0${1 + below(9)}-10`,
        duration: 60 * (20 + below(9)),
      };
    case 1: {
      const to = firstMalId + ((malId - firstMalId + 1 + below(titleCount - 1)) % titleCount);
      return { kind: "relation", from: malId, to, relation: ["sequel", "prequel", "side_story"][below(3)] };
    }
    case 2:
      return { kind: "skip", mal_id: malId, number, segment: "op", start: 60, end: 90 + below(60) };
    default:
      return titleLine(malId, 1 + below(1000));
  }
}

function titleLine(malId: number, version: number): Line {
  return {
    kind: "title",
    mal_id: malId,
    title: `Title ${malId}, ${version}`,
    synopsis: `Text ${version}`,
    title_synonyms: version % 3 === 0 ? [] : [`Name ${version}`],
    score: 1 + (version % 90) / 10,
    external_ids: [`anidb:${malId * 10 + (version % 3)}`],
    year: 1980 + (version % 40),
    genres: ["Action", "Comedy", "Drama"].slice(version % 3),
    episodes: 24,
    type: "TV",
    ...(version % 4 === 0 && { none: ["year"], year: null }),
  };
}

function* pseudoRandom(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield state >>> 8;
  }
}
