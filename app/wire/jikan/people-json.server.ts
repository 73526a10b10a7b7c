import { z } from "zod";
import type {
  Cast,
  CharacterPage,
  NamedOne,
  PersonPage,
  TitleCharacter,
} from "#app/domain/people/people.server.ts";
import { characterPath, personPath } from "#app/paths.ts";
import { portraitUrl } from "../people-json.server.ts";

/** People and characters in Jikan's shapes. Numbers are of this site, since catalogs do not have MyAnimeList's. */

const text = z.string().nullable();

const personImages = z.object({ jpg: z.object({ image_url: text }) }).meta({ id: "PersonImages" });
const characterImages = z
  .object({
    jpg: z.object({ image_url: text }),
    webp: z.object({ image_url: text, small_image_url: text }),
  })
  .meta({ id: "CharacterImages" });

const personEntry = z
  .object({ mal_id: z.number().int(), url: z.string(), images: personImages, name: z.string() })
  .meta({ id: "PersonEntry" });
const characterEntry = z
  .object({ mal_id: z.number().int(), url: z.string(), images: characterImages, name: z.string() })
  .meta({ id: "CharacterEntry" });

const personImagesOf = (person: NamedOne, origin: string) => ({
  jpg: { image_url: portraitUrl(person, origin) },
});
const characterImagesOf = (character: NamedOne, origin: string) => {
  const url = portraitUrl(character, origin);
  return { jpg: { image_url: url }, webp: { image_url: url, small_image_url: url } };
};

const personOf = (person: NamedOne, origin: string): z.output<typeof personEntry> => ({
  mal_id: person.id,
  url: origin + personPath(person.id, person.name),
  images: personImagesOf(person, origin),
  name: person.name,
});
const characterOf = (character: NamedOne, origin: string): z.output<typeof characterEntry> => ({
  mal_id: character.id,
  url: origin + characterPath(character.id, character.name),
  images: characterImagesOf(character, origin),
  name: character.name,
});

export const animeCharacterObject = z
  .object({
    character: characterEntry,
    role: z.string(),
    voice_actors: z.array(z.object({ person: personEntry, language: z.string() })),
  })
  .meta({ id: "AnimeCharacter" });

const roleNames: Record<TitleCharacter["role"], string> = {
  main: "Main",
  supporting: "Supporting",
  background: "Background",
};

export const animeCharactersOnWire = (
  { characters }: Cast,
  origin: string,
): z.output<typeof animeCharacterObject>[] =>
  characters.map((character) => ({
    character: characterOf(character, origin),
    role: roleNames[character.role],
    voice_actors: character.voices.map((voice) => ({
      person: personOf(voice, origin),
      language: voice.language,
    })),
  }));

export const animeStaffObject = z
  .object({ person: personEntry, positions: z.array(z.string()) })
  .meta({ id: "AnimeStaff" });

export const animeStaffOnWire = ({ staff }: Cast, origin: string): z.output<typeof animeStaffObject>[] =>
  staff.map((member) => ({ person: personOf(member, origin), positions: member.roles }));

export const personObject = z
  .object({
    mal_id: z.number().int(),
    url: z.string(),
    website_url: z.null(),
    images: personImages,
    name: z.string(),
    given_name: z.null(),
    family_name: z.null(),
    alternate_names: z.array(z.string()).describe("The name in its own script"),
    birthday: z.null(),
    favorites: z.number().int(),
    about: z.null(),
  })
  .meta({ id: "Person" });

export const personOnWire = (person: PersonPage, origin: string): z.output<typeof personObject> => ({
  ...personOf(person, origin),
  website_url: null,
  given_name: null,
  family_name: null,
  alternate_names: person.nameNative === null ? [] : [person.nameNative],
  birthday: null,
  favorites: person.favorites ?? 0,
  about: null,
});

export const characterObject = z
  .object({
    mal_id: z.number().int(),
    url: z.string(),
    images: characterImages,
    name: z.string(),
    name_kanji: text,
    nicknames: z.array(z.string()).describe("Always empty: only names are known"),
    favorites: z.number().int(),
    about: z.null(),
  })
  .meta({ id: "Character" });

export const characterOnWire = (
  character: CharacterPage,
  origin: string,
): z.output<typeof characterObject> => ({
  ...characterOf(character, origin),
  name_kanji: character.nameNative,
  nicknames: [],
  favorites: character.favorites ?? 0,
  about: null,
});
