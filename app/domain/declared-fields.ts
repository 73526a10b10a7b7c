/**
 * Helpers for nouns that declare their fields once, each with a kind. Code that treats the kinds differently is a table
 * with one function for each kind, so a new field needs no line there. For example,
 * `mapEntryFields({ count: ({ max }) => z.int().max(max), … })` returns an object with one value for each field.
 */

type Declarations = Record<string, { readonly kind: string }>;
type NameOf<Declared extends Declarations> = keyof Declared & string;
type KindOf<Declared extends Declarations> = Declared[NameOf<Declared>]["kind"];
type NameOfKind<Declared extends Declarations, Kind> = {
  [Name in NameOf<Declared>]: Declared[Name]["kind"] extends Kind ? Name : never;
}[NameOf<Declared>];
type WordOf<Field> = Field extends { readonly words: readonly (infer Word)[] } ? Word : never;

/** The values of all fields. `Values` has the type of each kind; a field with `words` also has them as values. */
export type FieldValues<Declared extends Declarations, Values extends Record<KindOf<Declared>, unknown>> = {
  -readonly [Name in NameOf<Declared>]: Values[Declared[Name]["kind"]] | WordOf<Declared[Name]>;
};

export const listFieldNames = <Declared extends Declarations>(declared: Declared) =>
  Object.keys(declared) as NameOf<Declared>[];

export const pickFields = <Source extends object, Name extends keyof Source & string>(
  source: Source,
  names: readonly Name[],
) => Object.fromEntries(names.map((name) => [name, source[name]])) as Pick<Source, Name>;

export const createFieldsMapper =
  <Declared extends Declarations>(declared: Declared) =>
  <Made extends Record<KindOf<Declared>, unknown>>(
    make: {
      [Kind in keyof Made]: (
        field: Declared[NameOfKind<Declared, Kind>],
        name: NameOfKind<Declared, Kind>,
      ) => Made[Kind];
    },
  ) => {
    // The type of `make` pairs each function with the fields of its kind. `Object.entries` loses that, hence the casts.
    const functions: Record<string, (field: never, name: never) => unknown> = make;
    const made = Object.entries(declared).map(([name, field]) => [
      name,
      functions[field.kind]?.(field as never, name as never),
    ]);
    return Object.fromEntries(made) as { [Name in NameOf<Declared>]: Made[Declared[Name]["kind"]] };
  };
