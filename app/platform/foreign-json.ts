import { isPlainObject } from "./plain-object.ts";

/** Readers for JSON that may have any shape: of other servers, or in files that somebody uploads. */

export type JsonObject = Record<string, unknown>;

export const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((found, name) => (isPlainObject(found) ? found[name] : undefined), value);

export const objectsIn = (value: unknown): JsonObject[] =>
  Array.isArray(value) ? value.filter(isPlainObject) : [];

export const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
