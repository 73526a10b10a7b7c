import { parseJson } from "#app/platform/parse-json.ts";
import { mebibytes } from "#app/platform/units.ts";
import { withHead } from "./with-head.ts";

/**
 * Finds the objects to import in a stream of JSON text without holding all of it in memory: the lines of a JSON lines
 * file, the elements of an array, or the elements of the array `data` in an enclosing object.
 */

export type FoundObject = { where: string; value: unknown } | { where: string; trouble: string };

/** A longer line or element is rejected, so that a damaged file cannot fill the memory. */
const maxObjectBytes = mebibytes(16);
/** If the text has no line break up to this length, it is one document and not JSON lines. */
const maxHeadLength = mebibytes(1);

export async function* findObjects(chunks: AsyncIterable<string>): AsyncGenerator<FoundObject> {
  const source = chunks[Symbol.asyncIterator]();
  let head = "";
  for (;;) {
    const { done, value } = await source.next();
    if (done) break;
    head += value;
    if ((value.includes("\n") && firstLines(head).length > 2) || head.length > maxHeadLength) break;
  }
  const rest = withHead(head.replace(/^\uFEFF/, ""), source);
  yield* isJsonLines(head) ? linesOf(rest) : elementsOf(rest);
}

/**
 * The file is JSON lines if its first line is a complete object, a damaged object (`{…}`) or not JSON at all. It is
 * also JSON lines if the second line is a complete object, unless the first line ends with an open bracket, a comma or
 * a colon.
 */
function isJsonLines(head: string): boolean {
  const [line = "", second] = firstLines(head);
  if (!line.startsWith("{")) return !line.startsWith("[");
  if (isJson(line)) return true;
  if (second === undefined) return false;
  return line.endsWith("}") || (second.startsWith("{") && !/[{[:,]$/.test(line) && isJson(second));
}

/** The last line can be incomplete, because more chunks follow. */
const firstLines = (head: string) =>
  head
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line, at, all) => (at < all.length - 1 ? line.trim() : line))
    .filter((line, at, all) => line !== "" || at === all.length - 1);

const isJson = (text: string) => parseJson(text) !== undefined;

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<FoundObject> {
  let open = "";
  let number = 0;
  let isSkipping = false;
  for await (const chunk of chunks) {
    const [first = "", ...lines] = chunk.split("\n");
    if (!isSkipping) open += first;
    if (open.length > maxObjectBytes) {
      yield { where: `line ${number + 1}`, trouble: "the line is too long" };
      open = "";
      isSkipping = true;
    }
    if (lines.length === 0) continue;
    if (!isSkipping) yield* objectsOfText(open.trim(), `line ${number + 1}`);
    isSkipping = false;
    number++;
    open = lines.pop() ?? "";
    for (const line of lines) yield* objectsOfText(line.trim(), `line ${++number}`);
  }
  if (!isSkipping) yield* objectsOfText(open.trim(), `line ${number + 1}`);
}

function* objectsOfText(text: string, where: string): Generator<FoundObject> {
  if (text.trim() === "") return;
  const value = parseJson(text);
  if (value === undefined) yield { where, trouble: "is not valid JSON" };
  else yield* unwrap(value, where);
}

/** API responses have their objects in `data`, either as an array or as one object. */
function* unwrap(value: unknown, where: string): Generator<FoundObject> {
  const data = typeof value === "object" && value !== null && "data" in value ? value.data : value;
  if (!Array.isArray(data)) yield { where, value: data };
  else
    for (const [index, one] of data.entries()) yield { where: `${where}, element ${index + 1}`, value: one };
}

const quote = 34;
const backslash = 92;
const openBracket = 91;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

/**
 * Tracks brackets and strings through a document and yields the elements of its array. The text is kept until an array
 * is found, because the document can be a single small object.
 */
async function* elementsOf(chunks: AsyncIterable<string>): AsyncGenerator<FoundObject> {
  let depth = 0;
  let arrayDepth = -1;
  let isInString = false;
  let isEscaped = false;
  let text = "";
  let begin = -1;
  let count = 0;
  for await (const chunk of chunks) {
    let at = text.length;
    text += chunk;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isInString = false;
        continue;
      }
      if (code === quote) isInString = true;
      else if (code === openBrace || code === openBracket) {
        const isElement = depth === arrayDepth;
        if (arrayDepth < 0 && code === openBracket && (depth === 0 || isData(text, at, depth)))
          arrayDepth = depth + 1;
        depth++;
        if (isElement) begin = at;
      } else if (code === closeBrace || code === closeBracket) {
        depth--;
        if (depth === arrayDepth && begin >= 0) {
          yield* objectsOfText(text.slice(begin, at + 1), `element ${++count}`);
          text = text.slice(at + 1);
          at = -1;
          begin = -1;
        } else if (depth < arrayDepth) arrayDepth = Number.POSITIVE_INFINITY;
      }
    }
    if (text.length > maxObjectBytes) {
      yield { where: `element ${count + 1}`, trouble: "is too long, or the file is not JSON" };
      return;
    }
    if (begin < 0 && arrayDepth >= 0) text = "";
  }
  if (arrayDepth < 0) yield* objectsOfText(text, "the document");
  else if (depth > 0) yield { where: `element ${count + 1}`, trouble: "the file ends in the middle" };
}

const isData = (text: string, at: number, depth: number) =>
  depth === 1 && /"data"\s*:\s*$/.test(text.slice(Math.max(0, at - 40), at));
