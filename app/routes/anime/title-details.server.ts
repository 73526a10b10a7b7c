import type { TitleExtras } from "#app/domain/catalog/catalog.server.ts";
import type { Cast } from "#app/domain/people/people.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import {
  characterRoleLabels,
  toCharacterPortrait,
  toPersonPortrait,
} from "#app/routes/views/people-views.server.ts";

/** The details of a title as its page shows them. Null if nothing is known, so that the page loads no script for them. */

/** More voices of one character would make the page longer than its other parts. */
const maxVoices = 3;

export function toDetails({ tags, streams }: TitleExtras, cast: Cast, language: TitleLanguage) {
  if (tags.length + streams.length + cast.characters.length + cast.staff.length === 0) return null;
  return {
    characters: cast.characters.map((character) => ({
      character: toCharacterPortrait(character, language, characterRoleLabels[character.role]),
      voices: japaneseFirst(character.voices)
        .slice(0, maxVoices)
        .map((voice) => toPersonPortrait(voice, language, voice.language)),
    })),
    staff: cast.staff.map((member) => toPersonPortrait(member, language, member.roles.join(", "))),
    streams: streams.map(({ site, url, language: spoken }) => ({
      url,
      label: spoken === null ? site : `${site} (${spoken})`,
    })),
    tags,
  };
}

export type Details = NonNullable<ReturnType<typeof toDetails>>;

function japaneseFirst<Voice extends { language: string }>(voices: readonly Voice[]): Voice[] {
  const isJapanese = ({ language }: Voice) => language === "Japanese";
  return [...voices.filter(isJapanese), ...voices.filter((voice) => !isJapanese(voice))];
}
