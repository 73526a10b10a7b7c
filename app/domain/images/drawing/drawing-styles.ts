import { valuesByKey } from "#app/platform/lists.ts";

/** Reads the style sheets of an SVG as far as the cost estimate needs them. */

type Styled = { name: string; attributes: Record<string, string> };

/** The limit for pairs of a rule and a matching element. Only attacks have more. */
const maxMatches = 200_000;

/** The property and value pairs of a `style` attribute or a rule's body. */
export const declarationsOf = (style: string): [property: string, value: string][] =>
  style.split(";").flatMap((declaration) => {
    const colon = declaration.indexOf(":");
    return colon < 0
      ? []
      : [[declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim()]];
  });

/**
 * Applies each declaration to the elements that its selector may match. Only the last name of a selector is used, so a
 * rule may apply to more elements than in the drawing, but never to fewer. Returns false if there are too many matches.
 */
export function applyStyleRules<One extends Styled>(
  styles: string,
  elements: readonly One[],
  apply: (element: One, property: string, value: string) => void,
): boolean {
  const elementsByName = indexByName(elements);
  let matches = 0;
  for (const rule of withoutComments(styles).split("}")) {
    const [body = "", selectors = ""] = rule.split("{").reverse();
    const declarations = declarationsOf(body);
    for (const selector of selectors.split(","))
      for (const element of elementsByName.get(lastNameOf(selector)) ?? elements) {
        matches += declarations.length;
        if (matches > maxMatches) return false;
        for (const [property, value] of declarations) apply(element, property, value);
      }
  }
  return true;
}

const withoutComments = (styles: string) =>
  styles
    .split("/*")
    .map((part, at) => (at === 0 ? part : part.slice(part.indexOf("*/") + 2)))
    .join(" ");

const indexByName = <One extends Styled>(elements: readonly One[]) =>
  valuesByKey(
    elements.flatMap((element) => {
      const { id, class: classes = "" } = element.attributes;
      const names = [element.name, `#${id}`, ...classes.split(/\s+/).map((one) => `.${one}`)];
      return [...new Set(names)].map((name) => [name, element] as const);
    }),
  );

const maxNameLength = 100;

/** `.a`, `#a` or `a` at the end of a selector. Empty if it ends with anything else, which may match every element. */
const lastNameOf = (selector: string) =>
  /(?:^|[\s>+~]|(?=[.#]))([.#]?[\w-]+)$/.exec(selector.trim().slice(-maxNameLength))?.[1] ?? "";
