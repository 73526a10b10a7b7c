import type { TitleSource } from "#app/domain/catalog-import/catalog-import.server.ts";
import type { CharacterRole, ExternalSite } from "#db/schema/enumerations.ts";

/** A site from which details of titles come. Each is one file beside this one. Its terms are in `termsOf`. */

/** A voice actor, a member of the staff, or a character. */
export type Named = {
  /** The number at the source. */
  sourceId: string;
  name: string;
  nameNative: string | null;
  /** Other spellings, for the search. */
  otherNames: readonly string[];
  favorites: number | null;
  pictureUrl: string | null;
};

type Voice = { person: Named; language: string };
export type CharacterOfTitle = {
  character: Named;
  role: CharacterRole;
  voices: readonly Voice[];
};
export type TagOfTitle = { name: string; category: string | null; rank: number; isSpoiler: boolean };
export type StreamOfTitle = { url: string; site: string; language: string | null };

/**
 * A source's answer about a title. Null means unknown, for example because the field failed. Earlier values stay then.
 */
export type TitleAnswer = {
  /** The title's number at the source. */
  number: number;
  /** MyAnimeList's number according to the source; null if it has none. */
  malId: number | null;
  /** The fields of a record in Engawa's format, and the records of relations and episodes, for a title number. */
  recordsFor(malId: number): { title: Record<string, unknown>; children: Record<string, unknown>[] };
  /** The title has ended, so its details rarely change. */
  isOver: boolean;
  tags: readonly TagOfTitle[] | null;
  streams: readonly StreamOfTitle[] | null;
  stills: readonly { number: number; url: string }[] | null;
  /** The next episode. `none`: the source knows of none. */
  next: { episode: number; at: Date } | "none" | null;
  coverUrl: string | null;
  bannerUrl: string | null;
  characters: readonly CharacterOfTitle[] | null;
  staff: readonly { person: Named; role: string }[] | null;
};

export type SourceAnswer =
  /** `isWhole`: nothing failed, so the source does not know the titles that are missing from the answer. */
  | { ok: true; titles: readonly TitleAnswer[]; isWhole: boolean }
  /** The source did not answer the question; `message` says why, as a sentence. */
  | { ok: false; message: string };

/** The titles of a request, by the source's numbers or by MyAnimeList's. */
type AskedNumbers = { by: "source" | "mal"; numbers: readonly number[] };

export type DetailSource = {
  name: TitleSource;
  /** Where `title_ids` has the source's numbers of titles. */
  site: ExternalSite;
  titlesPerRequest: number;
  requestsPerMinute: number;
  /** The JSON to send. */
  questionOf(asked: AskedNumbers): unknown;
  read(answer: unknown): SourceAnswer;
};
