import { z } from "zod";
import { publicPictureUrl } from "#app/domain/images/images.server.ts";
import type { Cast, NamedOne } from "#app/domain/people/people.server.ts";
import { characterRoles } from "#app/domain/people/people.ts";
import { characterPath, personPath, storedImagePath } from "#app/paths.ts";

/** The people and characters of a title in JSON. */

const namedFields = {
  id: z.number().int().describe("The number of this site"),
  name: z.string(),
  name_native: z.string().nullable().describe("The name in its own script"),
  url: z.string(),
  image_url: z.string().nullable(),
};

const voiceObject = z.object({ ...namedFields, language: z.string() }).meta({ id: "Voice" });
const titleCharacterObject = z
  .object({ ...namedFields, role: z.enum(characterRoles), voices: z.array(voiceObject) })
  .meta({ id: "TitleCharacter" });
const staffMemberObject = z
  .object({ ...namedFields, roles: z.array(z.string()) })
  .meta({ id: "StaffMember" });

export const castObject = z
  .object({ characters: z.array(titleCharacterObject), staff: z.array(staffMemberObject) })
  .meta({ id: "Cast" });

/** The absolute address of a stored picture; null without a picture. */
export const portraitUrl = ({ pictureCid }: Pick<NamedOne, "pictureCid">, origin: string): string | null =>
  pictureCid && publicPictureUrl(storedImagePath(pictureCid), origin);

const namedOnWire = (one: NamedOne, pathOf: (id: number, name: string) => string, origin: string) => ({
  id: one.id,
  name: one.name,
  name_native: one.nameNative,
  url: origin + pathOf(one.id, one.name),
  image_url: portraitUrl(one, origin),
});

export const castOnWire = ({ characters, staff }: Cast, origin: string): z.output<typeof castObject> => ({
  characters: characters.map((character) => ({
    ...namedOnWire(character, characterPath, origin),
    role: character.role,
    voices: character.voices.map((voice) => ({
      ...namedOnWire(voice, personPath, origin),
      language: voice.language,
    })),
  })),
  staff: staff.map((member) => ({ ...namedOnWire(member, personPath, origin), roles: member.roles })),
});
