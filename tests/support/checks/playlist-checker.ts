/**
 * Judges a rewritten playlist without sharing a line with the rewriter: it reads both texts character by
 * character and says what is wrong. An empty list means that only addresses changed, and each decodes to the
 * absolute original.
 */

type Given = { base: string; imported?: Record<string, string> };
/** `glue` stands between the attribute before and this one's name, `equals` between the name and the value. */
type Attribute = { name: string; value: string; quoted: boolean; glue: string; equals: string };
/** `rest` is what no attribute could be read from. */
type Tag = { name: string; attributes: Attribute[]; rest: string };

const prefetchTags = ["#EXT-X-PREFETCH:", "#EXT-X-TWITCH-PREFETCH:"];
const addressAttributes = ["URI", "SERVER-URI", "X-ASSET-URI", "X-ASSET-LIST"];

export function complaintsAbout(
  original: string,
  rewritten: string,
  { base, imported = {} }: Given,
): string[] {
  const before = linesOf(original);
  const after = linesOf(rewritten);
  if (before.length !== after.length) return [`${before.length} lines became ${after.length}`];
  const variables: Record<string, string> = Object.create(null);
  for (const { text } of before) define(text, variables, base, imported);
  return before.flatMap((line, index) => {
    const now = after[index]!;
    if (line.ending !== now.ending) return [`line ${index + 1}: another line ending`];
    return judgeLine(line.text, now.text, { base, variables, index }).map(
      (complaint) => `line ${index + 1}: ${complaint}\n  ${line.text}\n  ${now.text}`,
    );
  });
}

type Where = { base: string; variables: Record<string, string>; index: number };

function judgeLine(before: string, after: string, where: Where): string[] {
  if (where.index === 0 && before.startsWith("\uFEFF"))
    return after.startsWith("\uFEFF")
      ? judgeLine(before.slice(1), after.slice(1), { ...where, index: 1 })
      : ["the byte order mark was lost"];
  const lead = before.length - before.trimStart().length;
  if (lead > 0 && before[lead] === "#")
    return before.slice(0, lead) === after.slice(0, lead)
      ? judgeLine(before.slice(lead), after.slice(lead), where)
      : ["the space before the tag changed"];
  if (before.trim() === "" || (before.trim().startsWith("#") && !isTagWithAddresses(before)))
    return before === after ? [] : ["changed, though it holds no address"];
  if (!before.trim().startsWith("#")) return judgePadded(before, after, where);
  for (const tag of prefetchTags)
    if (before.startsWith(tag))
      return after.startsWith(tag)
        ? judgePadded(before.slice(tag.length), after.slice(tag.length), where)
        : ["the tag before the address changed"];
  return judgeTag(tagOf(before), tagOf(after), where);
}

function judgePadded(before: string, after: string, where: Where): string[] {
  const lead = before.length - before.trimStart().length;
  const trail = before.length - before.trimEnd().length;
  if (before.slice(0, lead) !== after.slice(0, lead)) return ["the space before the address changed"];
  if (after.slice(after.length - trail) !== before.slice(before.length - trail))
    return ["the space after the address changed"];
  return judgeAddress(before.trim(), after.trim(), where);
}

function judgeTag(before: Tag, after: Tag, where: Where): string[] {
  if (before.name !== after.name) return ["another tag"];
  if (before.rest !== after.rest) return ["what follows the attributes changed"];
  const expected = before.attributes.flatMap((attribute): Attribute[] => {
    const isParameter = before.name === "#EXT-X-DEFINE" && attribute.name === "QUERYPARAM";
    const value = isParameter ? where.variables[attribute.value] : undefined;
    if (value === undefined) return [attribute];
    const written = [...value].map((c) => ('"\r\n'.includes(c) ? encodeURIComponent(c) : c)).join("");
    return [
      { ...attribute, name: "NAME", equals: "=" },
      { name: "VALUE", value: written, quoted: true, glue: ",", equals: "=" },
    ];
  });
  if (expected.length !== after.attributes.length) return ["another number of attributes"];
  return expected.flatMap((attribute, index) => {
    const now = after.attributes[index]!;
    if (attribute.name !== now.name) return [`attribute ${attribute.name} became ${now.name}`];
    if (attribute.quoted !== now.quoted || attribute.glue !== now.glue || attribute.equals !== now.equals)
      return [`what stands around ${attribute.name} changed`];
    if (addressAttributes.includes(attribute.name)) return judgeAddress(attribute.value, now.value, where);
    return attribute.value === now.value ? [] : [`${attribute.name} changed`];
  });
}

function judgeAddress(before: string, after: string, { base, variables }: Where): string[] {
  const wanted = resolved(before, variables);
  let absolute: URL | undefined;
  try {
    absolute = new URL(wanted, base);
  } catch {
    absolute = undefined;
  }
  const isOurs = absolute ? ["http:", "https:"].includes(absolute.protocol) : /^https?:/i.test(wanted);
  if (wanted === "" || !(isOurs || !absolute))
    return before === after ? [] : ["a foreign scheme was touched"];
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

const isTagWithAddresses = (line: string) =>
  line.startsWith("#") &&
  !line.startsWith("#EXTINF") &&
  (prefetchTags.some((tag) => line.startsWith(tag)) ||
    tagOf(line).attributes.some(({ name }) => name === "QUERYPARAM" || addressAttributes.includes(name)));

/** Lenient about space around the signs, which the standard forbids: players read such playlists too. */
function tagOf(line: string): Tag {
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

/** Read once, from left to right: what a value says is not a reference again. */
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
  const given = Object.fromEntries(tagOf(line).attributes.map(({ name, value }) => [name, value]));
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
    variables[given.NAME] ??= resolved(given.VALUE ?? "", variables);
  }
}
