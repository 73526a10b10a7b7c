import { createFieldsMapper, type FieldValues, listFieldNames } from "#app/domain/declared-fields.ts";
import { fanaticLevels, genders, preferredFormats, watchFrequencies } from "#db/schema/enumerations.ts";

/**
 * The fields that describe a member. Columns, JSON, the account's file and its import are derived from this list, in
 * this order. A field with a `question` is also asked in the form of the member's tastes.
 */
export const memberFields = {
  name: { kind: "name" },
  lastName: { kind: "lastName" },
  avatarUrl: { kind: "picture" },
  bannerImage: { kind: "picture" },
  birthday: { kind: "birthday" },
  gender: { kind: "word", words: genders },
  favoriteAnimes: { kind: "titles" },
  watchedAnimes: { kind: "titles" },
  favoriteStudios: { kind: "studios" },
  favoriteGenres: { kind: "genres" },
  frequencyOfWatch: { kind: "word", words: watchFrequencies, question: "How often do you watch?" },
  fanaticLevel: { kind: "word", words: fanaticLevels, question: "How big a fan are you?" },
  preferredFormat: { kind: "word", words: preferredFormats, question: "Which format do you prefer?" },
} as const;

export type MemberFields = FieldValues<
  typeof memberFields,
  {
    name: string;
    lastName: string | null;
    picture: string | null;
    birthday: string | null;
    word: null;
    titles: number[];
    studios: string[];
    genres: string[];
  }
>;

export const memberFieldNames = listFieldNames(memberFields);
export const mapMemberFields = createFieldsMapper(memberFields);

type FieldName = keyof typeof memberFields;
type QuestionName = {
  [Name in FieldName]: (typeof memberFields)[Name] extends { question: string } ? Name : never;
}[FieldName];
export const questionNames = memberFieldNames.filter(
  (name): name is QuestionName => "question" in memberFields[name],
);
