import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { buildSchema, graphql } from "graphql";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** A stand-in of AniList: it executes queries against the part of its schema that the site uses, as slowly as AniList. */

const schema = buildSchema(readFileSync("tests/fixtures/anilist.graphql", "utf8"));

type Json = Record<string, unknown>;
export type Media = Json & { id: number; idMal: number | null };
/** Answers a request in place of the stand-in. Returns false to let it answer after all. */
type Fault = (response: ServerResponse, numbers: readonly number[]) => boolean;

type Variables = { numbers?: number[]; count?: number; name?: string };

const maxComplexity = 500;
const maxTitles = 50;
const requestsPerMinute = 30;

/** `now` is the clock by which it counts requests. */
export async function startAniList({ now = Date.now } = {}) {
  const state = {
    origin: "",
    media: [] as Media[],
    /** The numbers of each request that was answered or refused, in order. */
    asked: [] as number[][],
    /** The names whose lists were asked for, and the lists. */
    names: [] as string[],
    lists: {} as Record<string, Json[]>,
    /** The numbers of the titles that were answered. */
    answered: [] as number[],
    sentAt: [] as number[],
    /** What a title adds to the complexity of a query. */
    complexityPerTitle: 5,
    fault: (() => false) as Fault,
    /** Paths of pictures that were sent or asked for. */
    pictures: [] as string[],
    /** Answers a picture in place of the stand-in. */
    picture: ((_path: string, _response: ServerResponse) => false) as (
      path: string,
      response: ServerResponse,
    ) => boolean,
  };
  const bytes = await plainPng(60, 90, "teal");

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { query, variables } = JSON.parse(await text(request)) as { query: string; variables: Variables };
    const { numbers = [], name } = variables;
    if (name === undefined) state.asked.push(numbers);
    else state.names.push(name);
    if (state.fault(response, numbers)) return;
    const recent = state.sentAt.filter((at) => now() - at < 60_000);
    state.sentAt = [...recent, now()];
    const limits = {
      "x-ratelimit-limit": String(requestsPerMinute),
      "x-ratelimit-remaining": String(Math.max(0, requestsPerMinute - recent.length - 1)),
      "content-type": "application/json",
    };
    if (recent.length >= requestsPerMinute)
      return void response
        .writeHead(429, { ...limits, "retry-after": "60" })
        .end(JSON.stringify({ data: null, errors: [{ message: "Too Many Requests.", status: 429 }] }));
    const complexity = state.complexityPerTitle * numbers.length;
    if (complexity > maxComplexity || numbers.length > maxTitles)
      return void response.writeHead(400, limits).end(
        JSON.stringify({
          data: null,
          errors: [{ message: `Max query complexity should be ${maxComplexity} but got ${complexity}.` }],
        }),
      );
    const media = ({ id_in: ids, idMal_in: malIds }: { id_in?: number[]; idMal_in?: number[] }) => {
      const found = state.media.filter(({ id, idMal }) =>
        ids ? ids.includes(id) : idMal !== null && malIds?.includes(idMal),
      );
      state.answered.push(...found.map(({ id }) => id));
      return found.slice(0, maxTitles).map(withFields);
    };
    const list = ({ userName }: { userName: string }) => {
      const lists = state.lists[userName];
      if (!lists) throw new Error("User not found");
      return { lists };
    };
    const rootValue = Object.fromEntries([
      ["Page", () => ({ media })],
      ["MediaListCollection", list],
    ]);
    const result = await graphql({ schema, source: query, rootValue, variableValues: { ...variables } });
    response.writeHead(200, limits).end(JSON.stringify(result));
  }

  const server = await startUpstream((request, response) => {
    if (request.method === "POST") {
      answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
      return;
    }
    const path = request.url ?? "";
    state.pictures.push(path);
    if (!state.picture(path, response)) response.writeHead(200, { "content-type": "image/png" }).end(bytes);
  });
  state.origin = server.origin;
  return state;
}

/** An `Error` as a value makes its field fail. Voice actors are chosen by language. */
function withFields(media: Media): Json {
  const edges = (media.characters as { edges?: Json[] } | undefined)?.edges;
  if (!edges) return asFields(media);
  const voiced = edges.map(({ voices, ...edge }) => ({
    ...edge,
    voiceActors: ({ language }: { language: string }) => (voices as Json | undefined)?.[language] ?? [],
  }));
  return asFields({ ...media, characters: { edges: voiced } });
}

const asFields = (media: Json): Json =>
  Object.fromEntries(
    Object.entries(media).map(([name, value]) => [
      name,
      value instanceof Error
        ? () => {
            throw value;
          }
        : value,
    ]),
  );

/** A title with everything that AniList tells of one. Its number at AniList is 1,000 more than MyAnimeList's. */
export const someMedia = (malId: number, origin: string, more: Json = {}): Media => ({
  id: 1000 + malId,
  idMal: malId,
  title: { romaji: `Title ${malId}`, english: `The Title ${malId}`, native: `題 ${malId}` },
  type: "ANIME",
  status: "FINISHED",
  description: `What <i>happens</i> in ${malId}.<br><br>~!The butler did it.!~It ends.`,
  startDate: { year: 2015, month: 4, day: 3 },
  endDate: { year: 2015, month: 6, day: 26 },
  season: "SPRING",
  seasonYear: 2015,
  episodes: 13,
  duration: 24,
  source: "MANGA",
  trailer: { id: "abcdefghijk", site: "youtube" },
  coverImage: { extraLarge: `${origin}/cover-${malId}.png` },
  bannerImage: `${origin}/banner-${malId}.png`,
  averageScore: 81,
  meanScore: 80,
  popularity: 12_345,
  favourites: 678,
  isAdult: false,
  tags: [
    {
      name: "Time Skip",
      category: "Plot",
      rank: 70,
      isGeneralSpoiler: false,
      isMediaSpoiler: true,
      isAdult: false,
    },
    {
      name: "Kitchen",
      category: "Setting",
      rank: 90,
      isGeneralSpoiler: false,
      isMediaSpoiler: false,
      isAdult: false,
    },
  ],
  externalLinks: [
    {
      url: "https://stream.example.org/1",
      site: "Streamer",
      type: "STREAMING",
      language: null,
      isDisabled: false,
    },
    {
      url: "https://info.example.org/1",
      site: "Official Site",
      type: "INFO",
      language: null,
      isDisabled: false,
    },
  ],
  streamingEpisodes: [{ title: "Episode 1 - It Begins", thumbnail: `${origin}/still-${malId}.png` }],
  nextAiringEpisode: null,
  airingSchedule: { nodes: [{ airingAt: Date.UTC(2015, 3, 3, 15) / 1000, episode: 1 }] },
  relations: { edges: [] },
  studios: { edges: [{ isMain: true, node: { name: "Studio Porch" } }] },
  characters: {
    edges: [
      {
        role: "MAIN",
        node: {
          id: 7,
          name: { full: "Character 7", native: "人物 7", alternative: [] },
          image: { large: `${origin}/character-7.png` },
          favourites: 5,
        },
        voices: {
          JAPANESE: [
            {
              id: 70,
              name: { full: "Person 70", native: null, alternative: [] },
              image: { large: `${origin}/person-70.png` },
            },
          ],
        },
      },
    ],
  },
  staff: {
    edges: [
      {
        role: "Director",
        node: {
          id: 71,
          name: { full: "Person 71", native: null, alternative: ["P. 71"] },
          image: { large: null },
        },
      },
    ],
  },
  ...more,
});
