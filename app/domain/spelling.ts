/** Treats `Hardcore Otaku`, `hardcore_otaku` and `HARDCORE-OTAKU` as equal. */
const normalizeWord = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** Finds a word of an enumeration. Letter case does not matter, nor whether spaces, `_` or `-` separate its parts. */
export const findWord = <Word extends string>(words: readonly Word[], spelled: string): Word | null =>
  words.find((word) => normalizeWord(word) === normalizeWord(spelled)) ?? null;
