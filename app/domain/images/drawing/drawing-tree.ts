import { SaxesParser } from "saxes";
import { mebibytes } from "#app/platform/units.ts";
import { CannotRender } from "../render-job.ts";
import { applyStyleRules, declarationsOf } from "./drawing-styles.ts";

/** Reads an SVG as far as the cost estimate needs: its elements and their references. Nothing is drawn. */

/**
 * How often the target is drawn: `once` each time the element is drawn, `inherited` also for each element inside it,
 * `marker` for each point of a path inside it.
 */
type Reference = { id: string; kind: "once" | "inherited" | "marker" | "filter" };

export type DrawingElement = {
  name: string;
  attributes: Record<string, string>;
  children: DrawingElement[];
  references: Reference[];
  /** The highest possible number of points in the path, plus the cost of the text in points. */
  points: number;
  /** The length of the text in the element and below. Counted only for `text` elements. */
  characters: number;
  /** The work for picture-sized surfaces that the element needs for opacity, masks and filter functions. */
  surfaceWork: number;
};

export type Drawing = { root: DrawingElement; byId: Map<string, DrawingElement>; embedded: string[] };

export const maxDrawingBytes = mebibytes(8);
const maxElements = 50_000;
const maxDepth = 250;
const maxEntityCharacters = mebibytes(16);
const pointsPerCharacter = 10;
/**
 * Drawing a line of text takes time that grows with the square of its length: ten thousand characters take five
 * seconds.
 */
const maxCharactersInLine = 4000;

export function readDrawing(text: string): Drawing {
  refuseForeignEncoding(text);
  const parser = new SaxesParser();
  const open: DrawingElement[] = [];
  const all: DrawingElement[] = [];
  let root: DrawingElement | undefined;
  let styles = "";
  parser.on("error", () => {
    throw new CannotRender("not_an_image");
  });
  parser.on("doctype", (doctype) => Object.assign(parser.ENTITIES, entitiesOf(doctype, text)));
  parser.on("opentag", ({ name, attributes }) => {
    const element = newElement(name, attributes);
    all.push(element);
    if (all.length > maxElements || open.length >= maxDepth) throw new CannotRender("too_complex");
    root ??= element;
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (part: string) => {
    const element = open.at(-1);
    if (element?.name === "style") styles += part;
    else if (element) addCharacters(element, open, part.trim().length);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  if (!root) throw new CannotRender("not_an_image");
  // With escapes, any name can be spelled in another way, so they are refused.
  if (styles.includes("\\") || !applyStyleRules(styles, all, applyDeclaration))
    throw new CannotRender("too_complex");
  const byId = new Map<string, DrawingElement>();
  for (const element of all) {
    const { id } = element.attributes;
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  return { root, byId, embedded: all.flatMap(embeddedPictures) };
}

function addCharacters(element: DrawingElement, open: readonly DrawingElement[], characters: number) {
  element.points += pointsPerCharacter * characters;
  const line = open.findLast(({ name }) => name === "text");
  if (!line) return;
  line.characters += characters;
  if (line.characters > maxCharactersInLine) throw new CannotRender("too_complex");
}

/**
 * In some encodings a tag is written without angle brackets, so this parser and the renderer would see different
 * elements.
 */
function refuseForeignEncoding(text: string) {
  const encoding = /^\uFEFF?<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1];
  if (encoding !== undefined && !/^(?:utf-?8|us-ascii|iso-8859-\d+|windows-125\d)$/i.test(encoding))
    throw new CannotRender("not_an_image");
}

/** Drawing programs declare namespaces as entities. Only attacks use entities with markup or other entities. */
function entitiesOf(doctype: string, text: string): Record<string, string> {
  if (/<!ATTLIST|<!ENTITY\s+%/.test(doctype)) throw new CannotRender("too_complex");
  const entities: Record<string, string> = {};
  let longest = 0;
  for (const [, name = "", one, other] of doctype.matchAll(
    /<!ENTITY\s+([\w.:-]+)\s+(?:"([^"]*)"|'([^']*)')/g,
  )) {
    const value = one ?? other ?? "";
    if (/[<&%]/.test(value)) throw new CannotRender("not_an_image");
    entities[name] ??= value;
    longest = Math.max(longest, value.length);
  }
  if (longest * text.split("&").length > maxEntityCharacters) throw new CannotRender("too_complex");
  return entities;
}

function newElement(prefixed: string, attributes: Record<string, string>): DrawingElement {
  const name = prefixed.replace(/^.*:/, "");
  const path = attributes.d ?? attributes.points ?? "";
  const element: DrawingElement = {
    name,
    attributes,
    children: [],
    references: [],
    points: Math.ceil(path.length / 2),
    characters: 0,
    surfaceWork: 0,
  };
  for (const [property, value] of Object.entries(attributes)) applyDeclaration(element, property, value);
  for (const [property, value] of declarationsOf(attributes.style ?? ""))
    applyDeclaration(element, property, value);
  const href = hrefOf(attributes).trim();
  if (href.startsWith("#")) element.references.push({ id: href.slice(1), kind: "once" });
  return element;
}

const hrefOf = (attributes: Record<string, string>) => attributes.href ?? attributes["xlink:href"] ?? "";

/** In milliseconds per million pixels. */
const surfaceWork = new Map([
  ["opacity", 3],
  ["mix-blend-mode", 3],
  ["isolation", 3],
  ["clip-path", 3],
  ["mask", 55],
]);
const filterFunctionWork = 500;
const inheritedProperties = new Set(["fill", "stroke"]);

/** Attributes that programs add. Their values can be paths of Windows. */
const isForeign = (property: string) => /^data-|:/.test(property);

function applyDeclaration(element: DrawingElement, property: string, value: string) {
  // With escapes, a property, a function or the id in it can be spelled in another way.
  const isEscaped = property.includes("\\") || (value.includes("\\") && value.includes("("));
  if (isEscaped && !isForeign(property)) throw new CannotRender("too_complex");
  element.surfaceWork += surfaceWork.get(property) ?? 0;
  if (property === "filter")
    element.surfaceWork += filterFunctionWork * (value.split(/(?<!url)\(/i).length - 1);
  if (!/url\(/i.test(value)) return;
  const kind =
    property === "filter"
      ? "filter"
      : property.startsWith("marker")
        ? "marker"
        : inheritedProperties.has(property)
          ? "inherited"
          : "once";
  for (const [, id = ""] of value.matchAll(/url\(\s*["']?#([^"')\s]+)/gi))
    element.references.push({ id, kind });
}

function embeddedPictures({ attributes }: DrawingElement): string[] {
  const href = hrefOf(attributes).trim();
  return /^data:/i.test(href) ? [href] : [];
}
