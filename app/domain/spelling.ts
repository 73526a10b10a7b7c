/** `Hardcore Otaku`, `hardcore_otaku` and `HARDCORE-OTAKU` are one word. */
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, " ");

/** The word of a closed set that somebody means; undefined: none of them. */
export const findWord = <Word extends string>(words: readonly Word[], spelled: string): Word | undefined =>
  words.find((word) => plain(word) === plain(spelled));
