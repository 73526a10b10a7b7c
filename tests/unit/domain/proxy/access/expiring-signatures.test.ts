import { afterEach, expect, test, vi } from "vitest";
import { readReference, referenceTo } from "#app/domain/proxy/access/expiring-signatures.server.ts";
import { days } from "#app/platform/units.ts";

const sourceId = "01234567-89ab-cdef-0123-456789abcdef";
const signed = { sourceId, url: "https://a.test/1.m3u8", definitions: ["a=1"] };

afterEach(() => {
  vi.useRealTimers();
});

test("a reference names its source only for its own URL and definitions", () => {
  const reference = referenceTo(signed);
  expect(readReference(reference, signed)).toBe(sourceId);
  expect(readReference(reference, { ...signed, url: "https://a.test/account" })).toBeNull();
  expect(readReference(reference, { ...signed, definitions: [] })).toBeNull();
});

test("a reference with another source or signature, or without one, names no source", () => {
  const reference = referenceTo(signed);
  for (const forged of [
    reference.replace(/^0/, "1"),
    `${reference}x`,
    reference.slice(0, -1),
    `${sourceId}.${"A".repeat(22)}`,
    sourceId,
    "",
  ])
    expect(readReference(forged, signed), forged).toBeNull();
});

test("a reference is valid for two days at least and for four at most", () => {
  const now = Date.UTC(2026, 0, 1, 12);
  vi.useFakeTimers({ toFake: ["Date"], now });
  const reference = referenceTo(signed);
  const readAt = (time: number) => {
    vi.setSystemTime(time);
    return readReference(reference, signed);
  };
  expect(readAt(now + days(2))).toBe(sourceId);
  expect(readAt(now + days(4))).toBeNull();
  expect(readAt(now - days(4))).toBeNull();
});
