import type { TitleExtras } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { wordKey } from "#app/domain/names/names.ts";
import type { Cast } from "#app/domain/people/people.server.ts";
import { japaneseFirst } from "#app/domain/people/people.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import {
  characterRoleLabels,
  toCharacterPortrait,
  toPersonName,
  toPersonPortrait,
} from "#app/routes/views/people-views.server.ts";

/** The details of a title as its page shows them. */

/** More voices of one character would make the page longer than its other parts. */
const maxVoices = 3;

/** The page shows this many at first, because each one costs every view of the page. All are at `pathOfAll`. */
const shownAtFirst = {
  characters: 6,
  staff: 6,
  tags: 12,
};
/** If only this many more are left, the page shows them too. */
const maxBeyond = 2;

/** A tag with a lower rank, in percent, hardly fits the title. */
const minTagRank = 40;

type DetailOptions = {
  title: Pick<Title, "genres" | "themes" | "demographics">;
  language: TitleLanguage;
  /** Whether the reader has asked for all of them. */
  isWhole: boolean;
  pathOfAll: string;
};

/** Null if nothing is known, so that the page loads no script for details. */
export function toDetails(
  { tags: allTags, streams }: TitleExtras,
  cast: Cast,
  { title, language, isWhole, pathOfAll }: DetailOptions,
) {
  // The page shows these as genres and facts.
  const shownElsewhere = new Set([...title.genres, ...title.themes, ...title.demographics].map(wordKey));
  const tags = allTags.filter(({ name, rank }) => rank >= minTagRank && !shownElsewhere.has(wordKey(name)));
  if (tags.length + streams.length + cast.characters.length + cast.staff.length === 0) return null;
  const begin = <Item, View>(items: readonly Item[], shown: number, view: (item: Item) => View) => {
    const first = isWhole || items.length <= shown + maxBeyond ? items : items.slice(0, shown);
    return {
      items: first.map(view),
      hidden: items.length - first.length,
    };
  };
  return {
    characters: begin(cast.characters, shownAtFirst.characters, (character) => ({
      character: toCharacterPortrait(character, language, characterRoleLabels[character.role]),
      voices: japaneseFirst(character.voices)
        .slice(0, maxVoices)
        .map((voice) => ({ ...toPersonName(voice, language), spoken: voice.language })),
    })),
    staff: begin(cast.staff, shownAtFirst.staff, (member) =>
      toPersonPortrait(member, language, member.roles.join(", ")),
    ),
    streams: streams.map(({ site, url, language: spoken }) => ({
      url,
      label: spoken === null ? site : `${site} (${spoken})`,
    })),
    tags: begin(tags, shownAtFirst.tags, (tag) => tag),
    pathOfAll,
  };
}

export type Details = NonNullable<ReturnType<typeof toDetails>>;
