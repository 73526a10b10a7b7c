/** Converts between property names in JSON (`title_english`) and in code (`titleEnglish`). */

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : "";

export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type SnakeCased<Shape> = { [Name in keyof Shape & string as SnakeCase<Name>]: Shape[Name] };

const renamed = (shape: object, rename: (name: string) => string): unknown =>
  Object.fromEntries(Object.entries(shape).map(([name, value]) => [rename(name), value]));

/** Copies an object with its property names in snake_case. */
export const toSnakeCase = <Shape extends object>(shape: Shape) =>
  renamed(shape, snakeCase) as SnakeCased<Shape>;

type CamelCased<Shape> = Shape extends unknown
  ? { [Name in keyof Shape & string as CamelCase<Name>]: Shape[Name] }
  : never;

/** Copies an object with its property names in camelCase. */
export const toCamelCase = <Shape extends object>(shape: Shape) =>
  renamed(shape, camelCase) as CamelCased<Shape>;

/** Returns a function that copies only the fields with these names: `title_english` from `titleEnglish`. */
export function snakeCaseCopier<Name extends string>(names: readonly Name[]) {
  const pairs = names.map((name) => [name, camelCase(name)] as const);
  return <Source extends { [Each in Name as CamelCase<Each>]: unknown }>(source: Source) => {
    const copy: Record<string, unknown> = {};
    for (const [name, property] of pairs) copy[name] = source[property as keyof Source];
    return copy as { [Each in Name]: Source[CamelCase<Each> & keyof Source] };
  };
}
