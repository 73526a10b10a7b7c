/**
 * Checks a rewritten playlist without sharing a line with the rewriter: it reads both texts character by character
 * and returns what is wrong. An empty list means that only URLs changed and that each decodes to the absolute
 * original.
 */

type Options = { base: string; imported?: Record<string, string> };
/** `glue` is the text between the previous attribute and this name, `equals` the text between the name and the value. */
type Attribute = { name: string; value: string; quoted: boolean; glue: string; equals: string };
/** `rest` is the text after the last attribute that could be read. */
type Tag = { name: string; attributes: Attribute[]; rest: string };

const prefetchTags = ["#EXT-X-PREFETCH:", "#EXT-X-TWITCH-PREFETCH:"];
const urlAttributes = ["URI", "SERVER-URI", "X-URI", "X-ASSET-URI", "X-ASSET-LIST"];

export function complaintsAbout(
  original: string,
  rewritten: string,
  { base, imported = {} }: Options,
): string[] {
  const before = linesOf(original);
  const after = linesOf(rewritten);
  if (before.length !== after.length) return [`${before.length} lines became ${after.length}`];
  const variables: Record<string, string> = Object.create(null);
  for (const { text } of before) define(text, variables, base, imported);
  return before.flatMap((line, index) => {
    const now = after[index]!;
    if (line.ending !== now.ending) return [`line ${index + 1}: the line ending changed`];
    return checkLine(line.text, now.text, { base, variables, index }).map(
      (complaint) => `line ${index + 1}: ${complaint}\n  ${line.text}\n  ${now.text}`,
    );
  });
}

type Context = { base: string; variables: Record<string, string>; index: number };

function checkLine(before: string, after: string, context: Context): string[] {
  if (context.index === 0 && before.startsWith("\uFEFF"))
    return after.startsWith("\uFEFF")
      ? checkLine(before.slice(1), after.slice(1), { ...context, index: 1 })
      : ["the byte order mark was lost"];
  const lead = before.length - before.trimStart().length;
  if (lead > 0 && before[lead] === "#")
    return after.startsWith("#")
      ? checkLine(before.slice(lead), after, context)
      : ["there is space before the tag"];
  if (before.trim() === "" || (before.trim().startsWith("#") && !isTagWithUrls(before)))
    return before === after ? [] : ["changed, although it contains no URL"];
  if (!before.trim().startsWith("#"))
    return after.trimStart() === after
      ? checkPaddedUrl(before, after, context)
      : ["there is space before the URL"];
  for (const tag of prefetchTags)
    if (before.startsWith(tag))
      return after.startsWith(tag)
        ? checkPaddedUrl(before.slice(tag.length), after.slice(tag.length), context)
        : ["the tag before the URL changed"];
  return checkTag(parseTag(before), parseTag(after), context);
}

function checkPaddedUrl(before: string, after: string, context: Context): string[] {
  const trail = before.length - before.trimEnd().length;
  if (after.slice(after.length - trail) !== before.slice(before.length - trail))
    return ["the space after the URL changed"];
  return checkUrl(before.trim(), after.trim(), context);
}

function checkTag(before: Tag, after: Tag, context: Context): string[] {
  if (before.name !== after.name) return ["the name of the tag changed"];
  if (before.rest !== after.rest) return ["the text after the attributes changed"];
  const expected = before.attributes.flatMap((attribute): Attribute[] => {
    const isParameter = before.name === "#EXT-X-DEFINE" && attribute.name === "QUERYPARAM";
    const value = isParameter ? context.variables[attribute.value] : undefined;
    if (value === undefined) return [attribute];
    const written = [...value]
      .map((c, at) => ('"\r\n'.includes(c) || `${c}${value[at + 1]}` === "{$" ? encodeURIComponent(c) : c))
      .join("");
    return [
      { ...attribute, name: "NAME", equals: "=" },
      { name: "VALUE", value: written, quoted: true, glue: ",", equals: "=" },
    ];
  });
  if (expected.length !== after.attributes.length) return ["the number of attributes changed"];
  return expected.flatMap((attribute, index) => {
    const now = after.attributes[index]!;
    if (attribute.name !== now.name) return [`attribute ${attribute.name} became ${now.name}`];
    if (attribute.quoted !== now.quoted || attribute.glue !== now.glue || attribute.equals !== now.equals)
      return [`the text around ${attribute.name} changed`];
    if (urlAttributes.includes(attribute.name)) return checkUrl(attribute.value, now.value, context);
    return attribute.value === now.value ? [] : [`${attribute.name} changed`];
  });
}

function checkUrl(before: string, after: string, { base, variables }: Context): string[] {
  const wanted = resolved(before, variables);
  let absolute: URL | undefined;
  try {
    absolute = new URL(wanted, base);
  } catch {
    absolute = undefined;
  }
  const isHttp = absolute ? ["http:", "https:"].includes(absolute.protocol) : /^https?:/i.test(wanted);
  if (wanted === "") return after === "" ? [] : ["an empty URL became another"];
  if (!(isHttp || !absolute)) return before === after ? [] : ["a URL of another scheme changed"];
  if (!after.startsWith("/api/videoProxy?url=")) return ["does not go through the proxy"];
  const found = new URL(after, "http://proxy.test").searchParams.get("url");
  return found === (absolute?.href ?? wanted)
    ? []
    : [`leads to ${found} instead of ${absolute?.href ?? wanted}`];
}

function linesOf(text: string): { text: string; ending: string }[] {
  const lines: { text: string; ending: string }[] = [];
  let current = "";
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === "\r" && text[i + 1] === "\n") {
      lines.push({ text: current, ending: "\r\n" });
      current = "";
      i++;
    } else if (character === "\n" || character === "\r") {
      lines.push({ text: current, ending: character });
      current = "";
    } else current += character;
  }
  return [...lines, { text: current, ending: "" }];
}

const isTagWithUrls = (line: string) =>
  line.startsWith("#") &&
  !line.startsWith("#EXTINF") &&
  (prefetchTags.some((tag) => line.startsWith(tag)) ||
    parseTag(line).attributes.some(({ name }) => name === "QUERYPARAM" || urlAttributes.includes(name)));

/** Accepts spaces around commas and equals signs, which RFC 8216 forbids, because players accept them too. */
function parseTag(line: string): Tag {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, attributes: [], rest: "" };
  const attributes: Attribute[] = [];
  let read = colon;
  for (;;) {
    const separator = afterSpace(line, read);
    if (separator !== colon && line[separator] !== ",") break;
    const nameStart = afterSpace(line, separator + 1);
    const sign = line.indexOf("=", nameStart);
    if (sign < 0) break;
    const name = line.slice(nameStart, sign).trimEnd();
    const valueStart = afterSpace(line, sign + 1);
    const quoted = line[valueStart] === '"';
    const end = quoted ? line.indexOf('"', valueStart + 1) : untilComma(line, valueStart);
    if (end < 0) break;
    attributes.push({
      name,
      value: quoted ? line.slice(valueStart + 1, end) : line.slice(valueStart, end).trimEnd(),
      quoted,
      glue: line.slice(read, nameStart),
      equals: line.slice(nameStart + name.length, valueStart),
    });
    read = quoted ? end + 1 : valueStart + line.slice(valueStart, end).trimEnd().length;
  }
  return { name: line.slice(0, colon), attributes, rest: line.slice(read) };
}

function afterSpace(line: string, from: number) {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at++;
  return at;
}

function untilComma(line: string, from: number) {
  const comma = line.indexOf(",", from);
  return comma < 0 ? line.length : comma;
}

/** Replaces each variable once, from left to right. A value is not searched for more variables. */
function resolved(text: string, variables: Record<string, string>): string {
  const [first = "", ...pieces] = text.split("{$");
  return pieces.reduce((done, piece) => {
    const end = piece.indexOf("}");
    const value = end < 0 ? undefined : variables[piece.slice(0, end)];
    return done + (value === undefined ? `{$${piece}` : value + piece.slice(end + 1));
  }, first);
}

function define(
  line: string,
  variables: Record<string, string>,
  base: string,
  imported: Record<string, string>,
) {
  if (!line.trimStart().startsWith("#EXT-X-DEFINE:")) return;
  const given = Object.fromEntries(parseTag(line).attributes.map(({ name, value }) => [name, value]));
  if (given.IMPORT !== undefined) {
    const value = imported[given.IMPORT];
    if (value !== undefined) variables[given.IMPORT] ??= value;
  } else if (given.QUERYPARAM !== undefined) {
    const wanted = given.QUERYPARAM;
    const pair = new URL(base).search
      .slice(1)
      .split("&")
      .find((one) => one.startsWith(`${wanted}=`));
    if (pair) variables[wanted] ??= decodeURIComponent(pair.slice(wanted.length + 1));
  } else if (given.NAME !== undefined) {
    variables[given.NAME] ??= given.VALUE ?? "";
  }
}
