/** Treats `Hardcore Otaku`, `hardcore_otaku` and `HARDCORE-OTAKU` as equal. */
const normalizeWord = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** Finds the word of an enumeration that `spelled` means, in any letter case and with any separators. */
export const findWord = <Word extends string>(words: readonly Word[], spelled: string): Word | undefined =>
  words.find((word) => normalizeWord(word) === normalizeWord(spelled));
