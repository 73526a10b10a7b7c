/** Turns the marked-up texts of other sites into plain paragraphs. The input may be hostile, and of any length. */

const maxTextLength = 8000;
/** Longer input is cut before it is parsed. It may be longer than the result, because markup takes up some of it. */
const maxMarkedLength = 5 * maxTextLength;

const entities = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    nbsp: " ",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
  }),
);

/** Null if nothing is left. */
export function plainText(marked: string): string | null {
  const text = withoutSpoilers(marked.slice(0, maxMarkedLength).replaceAll(/\r\n?/g, "\n"))
    .replaceAll(/<br\s{0,9}\/?>|<\/(?:p|div|li)>/gi, "\n")
    .replaceAll(/<[!/a-z][^<>]{0,500}>/gi, "")
    .replaceAll(/(?:img|youtube|webm)\d{0,5}%?\([^()\n]{0,500}\)/gi, "")
    .replaceAll(/!?\[([^[\]\n]{0,500})\]\([^()\n]{0,500}\)/g, "$1")
    .replaceAll(/^[ \t]{0,9}(?:#{1,6}|>)[ \t]/gm, "")
    .replaceAll(/~~~|__|\*\*/g, "")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]{1,500})\*(?!\w)/g, "$1")
    .replaceAll(/(?<![\w_])_(?=\S)([^_\n]{1,500})_(?!\w)/g, "$1")
    .replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,10}));/gi, decodeEntity);
  const paragraphs = text
    .split(/\n\s*\n|\n/)
    .map((line) => oneLine(line))
    .filter((line) => line !== null);
  return cut(paragraphs.join("\n\n"), maxTextLength);
}

/** Removes `~!spoilers!~`. A mark that is never closed hides the rest of the text. */
function withoutSpoilers(text: string): string {
  let plain = "";
  let at = 0;
  for (;;) {
    const begin = text.indexOf("~!", at);
    if (begin < 0) return plain + text.slice(at);
    plain += text.slice(at, begin);
    const end = text.indexOf("!~", begin + 2);
    if (end < 0) return plain;
    at = end + 2;
  }
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return entities.get(name.toLowerCase()) ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Reduces a text to one line without control characters, which PostgreSQL can store. Null if nothing is left. */
export function oneLine(text: string, maxLength = maxTextLength): string | null {
  const line = text
    .slice(0, 2 * maxLength)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return cut(line, maxLength);
}

/** Cuts at the end of a word and adds an ellipsis. */
function cut(text: string, maxLength: number): string | null {
  if (text === "") return null;
  if (text.length <= maxLength) return text;
  const short = text.slice(0, maxLength - 1);
  const end = short.search(/\s\S*$/);
  return `${(end > maxLength / 2 ? short.slice(0, end) : short).trimEnd().toWellFormed()}…`;
}
