/** The style sheets of an SVG, as far as the cost of drawing needs them. */

type Styled = { name: string; attributes: Record<string, string> };

/** More pairs of a rule and an element that it matches are for attacks. */
const maxMatches = 200_000;

/** The pairs of a `style` attribute or of the body of a rule. */
export const declarationsOf = (style: string): [property: string, value: string][] =>
  style.split(";").flatMap((declaration) => {
    const colon = declaration.indexOf(":");
    return colon < 0
      ? []
      : [[declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim()]];
  });

/**
 * Applies each declaration to the elements that its selector may match. Of a selector only the last name counts, so a rule
 * may be applied to more elements than in the drawing, but never to fewer. False: there are too many.
 */
export function applyStyleRules<One extends Styled>(
  styles: string,
  elements: readonly One[],
  apply: (element: One, property: string, value: string) => void,
): boolean {
  const named = indexByName(elements);
  let matches = 0;
  for (const rule of withoutComments(styles).split("}")) {
    const [body = "", selectors = ""] = rule.split("{").reverse();
    const declarations = declarationsOf(body);
    for (const selector of selectors.split(","))
      for (const element of named.get(lastNameOf(selector)) ?? elements) {
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

function indexByName<One extends Styled>(elements: readonly One[]) {
  const named = new Map<string, One[]>();
  for (const element of elements) {
    const { id, class: classes = "" } = element.attributes;
    const names = [element.name, `#${id}`, ...classes.split(/\s+/).map((one) => `.${one}`)];
    for (const name of new Set(names)) {
      const known = named.get(name);
      if (known) known.push(element);
      else named.set(name, [element]);
    }
  }
  return named;
}

const maxNameLength = 100;

/** `.a`, `#a` or `a` at the end of a selector; empty if it ends with anything else, which may match every element. */
const lastNameOf = (selector: string) =>
  /(?:^|[\s>+~]|(?=[.#]))([.#]?[\w-]+)$/.exec(selector.trim().slice(-maxNameLength))?.[1] ?? "";
