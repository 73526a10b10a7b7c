/**
 * Judges a rewritten playlist without sharing a line with the rewriter: it reads both texts character by
 * character and says what is wrong. An empty list means that only addresses changed, and each decodes to the
 * absolute original.
 */

type Given = { base: string; imported?: Record<string, string> };
type Attribute = { name: string; value: string; quoted: boolean; glue: string };

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
  const variables: Record<string, string> = {};
  for (const { text } of before) define(text, variables, base, imported);
  const isMultivariant = before.some(({ text }) =>
    /^#EXT-X-(STREAM-INF|MEDIA|I-FRAME-STREAM-INF):/.test(text),
  );
  return before.flatMap((line, index) => {
    const now = after[index]!;
    if (line.ending !== now.ending) return [`line ${index + 1}: another line ending`];
    return judgeLine(line.text, now.text, { base, variables, isMultivariant, index }).map(
      (complaint) => `line ${index + 1}: ${complaint}\n  ${line.text}\n  ${now.text}`,
    );
  });
}

type Where = { base: string; variables: Record<string, string>; isMultivariant: boolean; index: number };

function judgeLine(before: string, after: string, where: Where): string[] {
  const text = where.index === 0 ? before.replace(/^\uFEFF/, "") : before;
  if (text.trim() === "" || (text.trim().startsWith("#") && !isTagWithAddresses(text)))
    return before === after ? [] : ["changed, though it holds no address"];
  if (!text.trim().startsWith("#")) return judgePadded(before, after, where);
  for (const tag of prefetchTags)
    if (text.startsWith(tag))
      return after.startsWith(tag)
        ? judgePadded(text.slice(tag.length), after.slice(tag.length), where)
        : ["the tag before the address changed"];
  return judgeAttributes(attributesOf(text), attributesOf(after), where);
}

function judgePadded(before: string, after: string, where: Where): string[] {
  const lead = before.length - before.trimStart().length;
  const trail = before.length - before.trimEnd().length;
  if (before.slice(0, lead) !== after.slice(0, lead)) return ["the space before the address changed"];
  if (after.slice(after.length - trail) !== before.slice(before.length - trail))
    return ["the space after the address changed"];
  return judgeAddress(before.trim(), after.trim(), where);
}

function judgeAttributes(before: Attribute[], after: Attribute[], where: Where): string[] {
  const expected = before.flatMap((attribute): Attribute[] => {
    const value = attribute.name === "QUERYPARAM" ? where.variables[attribute.value] : undefined;
    if (value === undefined) return [attribute];
    const written = [...value].map((c) => ('"\r\n'.includes(c) ? encodeURIComponent(c) : c)).join("");
    return [
      { ...attribute, name: "NAME" },
      { name: "VALUE", value: written, quoted: true, glue: "," },
    ];
  });
  if (expected.length !== after.length) return ["another number of attributes"];
  return expected.flatMap((attribute, index) => {
    const now = after[index]!;
    if (attribute.name !== now.name || attribute.quoted !== now.quoted || attribute.glue !== now.glue)
      return [`attribute ${attribute.name} became ${now.name}`];
    if (addressAttributes.includes(attribute.name)) return judgeAddress(attribute.value, now.value, where);
    return attribute.value === now.value ? [] : [`${attribute.name} changed`];
  });
}

function judgeAddress(before: string, after: string, { base, variables }: Where): string[] {
  let wanted = before;
  for (const [name, value] of Object.entries(variables)) wanted = wanted.split(`{$${name}}`).join(value);
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
    attributesOf(line).some(({ name }) => name === "QUERYPARAM" || addressAttributes.includes(name)));

/** `glue` is whatever stands between the end of the attribute before and this one's name. */
function attributesOf(line: string): Attribute[] {
  const colon = line.indexOf(":");
  if (colon < 0) return [];
  const attributes: Attribute[] = [];
  let at = colon;
  while (at < line.length) {
    let nameStart = at + 1;
    while (line[nameStart] === " ") nameStart++;
    const equals = line.indexOf("=", nameStart);
    if (equals < 0) break;
    const name = line.slice(nameStart, equals);
    const quoted = line[equals + 1] === '"';
    const end = quoted ? line.indexOf('"', equals + 2) : untilComma(line, equals + 1);
    if (end < 0) break;
    attributes.push({
      name,
      value: line.slice(equals + (quoted ? 2 : 1), end),
      quoted,
      glue: line.slice(at, nameStart),
    });
    at = quoted ? end + 1 : end;
    if (at < line.length && line[at] !== ",") break;
  }
  return attributes;
}

function untilComma(line: string, from: number) {
  const comma = line.indexOf(",", from);
  return comma < 0 ? line.length : comma;
}

function define(
  line: string,
  variables: Record<string, string>,
  base: string,
  imported: Record<string, string>,
) {
  if (!line.startsWith("#EXT-X-DEFINE:")) return;
  const given = Object.fromEntries(attributesOf(line).map(({ name, value }) => [name, value]));
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
    let value = given.VALUE ?? "";
    for (const [name, inner] of Object.entries(variables)) value = value.split(`{$${name}}`).join(inner);
    variables[given.NAME] ??= value;
  }
}
