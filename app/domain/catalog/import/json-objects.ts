import { mebibytes } from "#app/platform/units.ts";

/**
 * Finds the objects worth importing in a stream of JSON text, one after another and never the whole of it: each
 * line of a JSON lines file, the elements of an array, or those of the array `data` of an enclosing object.
 */

export type FoundObject = { where: string; value: unknown } | { where: string; trouble: string };

/** A line, or an element of an array, that is longer is no record. */
const maxObjectBytes = mebibytes(16);
/** Without line breaks up to here, it is one document. */
const firstLook = mebibytes(1);

export async function* findObjects(chunks: AsyncIterable<string>): AsyncGenerator<FoundObject> {
  const source = chunks[Symbol.asyncIterator]();
  let head = "";
  for (;;) {
    const { done, value } = await source.next();
    if (done) break;
    head += value;
    if ((value.includes("\n") && firstLines(head).length > 2) || head.length > firstLook) break;
  }
  const rest = withHead(head.replace(/^\uFEFF/, ""), source);
  yield* isLines(head) ? linesOf(rest) : elementsOf(rest);
}

async function* withHead(head: string, rest: AsyncIterator<string>) {
  yield head;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

/**
 * A first line that is JSON by itself, or would like to be, makes the file JSON lines; so does a second one, unless
 * the first leaves it to stand inside something.
 */
function isLines(head: string): boolean {
  const [line = "", second] = firstLines(head);
  if (!line.startsWith("{")) return !line.startsWith("[");
  if (isJson(line)) return true;
  if (second === undefined) return false;
  return line.endsWith("}") || (second.startsWith("{") && !/[{[:,]$/.test(line) && isJson(second));
}

/** The last one may not be whole yet. */
const firstLines = (head: string) =>
  head
    .replace(/^\uFEFF/, "")
    .split("\n")
    .map((line, at, all) => (at < all.length - 1 ? line.trim() : line))
    .filter((line, at, all) => line !== "" || at === all.length - 1);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

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
    if (!isSkipping) yield* readLine(open, number + 1);
    isSkipping = false;
    number++;
    open = lines.pop() ?? "";
    for (const line of lines) yield* readLine(line, ++number);
  }
  if (!isSkipping) yield* readLine(open, number + 1);
}

function* readLine(line: string, number: number): Generator<FoundObject> {
  const text = line.trim();
  if (text === "") return;
  const where = `line ${number}`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    yield { where, trouble: "is not valid JSON" };
    return;
  }
  yield* unwrap(value, where);
}

/** A page of an API on one line is an object around an array, or around one object. */
function* unwrap(value: unknown, where: string): Generator<FoundObject> {
  const data = typeof value === "object" && value !== null && "data" in value ? value.data : value;
  if (!Array.isArray(data)) yield { where, value: data };
  else
    for (const [index, one] of data.entries()) yield { where: `${where}, element ${index + 1}`, value: one };
}

const quote = 34;
const backslash = 92;

/**
 * Follows braces and strings through a document. While no array has been found to take elements from, the text is
 * only kept as long as the document might be one small object.
 */
async function* elementsOf(chunks: AsyncIterable<string>): AsyncGenerator<FoundObject> {
  let depth = 0;
  let arrayDepth = -1;
  let isText = false;
  let isEscaped = false;
  let text = "";
  let begin = -1;
  let count = 0;
  for await (const chunk of chunks) {
    let at = text.length;
    text += chunk;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (code === backslash) isEscaped = true;
        else if (code === quote) isText = false;
        continue;
      }
      if (code === quote) isText = true;
      else if (code === 123 || code === 91) {
        const isElement = depth === arrayDepth;
        if (arrayDepth < 0 && code === 91 && (depth === 0 || isData(text, at, depth))) arrayDepth = depth + 1;
        depth++;
        if (isElement) begin = at;
      } else if (code === 125 || code === 93) {
        depth--;
        if (depth === arrayDepth && begin >= 0) {
          yield* readElement(text.slice(begin, at + 1), `element ${++count}`);
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
  if (arrayDepth < 0) yield* readElement(text, "the document");
  else if (depth > 0) yield { where: `element ${count + 1}`, trouble: "the file ends in the middle" };
}

const isData = (text: string, at: number, depth: number) =>
  depth === 1 && /"data"\s*:\s*$/.test(text.slice(Math.max(0, at - 40), at));

function* readElement(text: string, where: string): Generator<FoundObject> {
  if (text.trim() === "") return;
  try {
    yield* unwrap(JSON.parse(text), where);
  } catch {
    yield { where, trouble: "is not valid JSON" };
  }
}
