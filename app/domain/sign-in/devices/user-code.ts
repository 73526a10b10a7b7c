/**
 * The code that a screen shows and a person types elsewhere: eight letters in two groups. It has only consonants, so
 * that it spells no word (RFC 8628, section 6.1).
 */
export const userCodeLetters = "BCDFGHJKLMNPQRSTVWXZ";
export const userCodeLength = 8;

export const formatUserCode = (letters: string) => `${letters.slice(0, 4)}-${letters.slice(4)}`;

/** Null if no device can show this code. People type spaces, hyphens and small letters. */
export function parseUserCode(typed: string): string | null {
  const letters = typed
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, "");
  const isCode =
    letters.length === userCodeLength && [...letters].every((one) => userCodeLetters.includes(one));
  return isCode ? letters : null;
}
