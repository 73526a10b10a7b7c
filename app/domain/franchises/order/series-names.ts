/** Compares names to decide whether two titles belong to one series. */

/** Words that distinguish the parts of a series and do not belong to its name. */
const partWords =
  /^(\d{1,4}(st|nd|rd|th)?|i{1,3}|iv|vi{0,3}|ix|x|season|seasons|part|cour|chapter|the|movie|film|gekijoban|ova|ona|oad|special|specials|recap|tv|final|first|second|third|fourth|fifth|shin|zoku|kai|r2|ni|san|picture|drama|episode|digest|soshuhen)$/;

const recapWords = /\b(?:recaps?|soshuhen|digest|compilation)\b/;

/** True if a name of the title says that it sums up another. */
export const isNamedRecap = ({ names }: { names: readonly string[] }): boolean =>
  names.some((name) => recapWords.test(name));

/** A single short word, such as "air" or "one", is the beginning of too many names. */
const minLetters = 5;

/** The words of a name up to its first part word. */
function seriesWords(name: string): string[] {
  const words = name.split(" ");
  const end = words.findIndex((word, index) => index > 0 && partWords.test(word));
  return end < 0 ? words : words.slice(0, end);
}

const beginsWith = (words: readonly string[], beginning: readonly string[]) =>
  beginning.length <= words.length && beginning.every((word, index) => word === words[index]);

/** True if one name of either title, without its season or part, is the beginning of a name of the other. */
export function namesAgree(one: { names: readonly string[] }, other: { names: readonly string[] }): boolean {
  const [ones, others] = [one.names.map(seriesWords), other.names.map(seriesWords)];
  return ones.some((words) =>
    others.some((against) => {
      const [shorter, longer] = words.length <= against.length ? [words, against] : [against, words];
      if (!beginsWith(longer, shorter)) return false;
      return shorter.length === longer.length || shorter.join("").length >= minLetters;
    }),
  );
}
