import { beforeAll } from "vitest";

/**
 * Posters of every width through both proxies, with the public cache. The smaller half of them has less than 16 KiB, and the
 * largest has several times as much. tests/integration has the smallest and the largest.
 */

process.env.PUBLIC_CACHE = "1";
const { addTitle, testPostersThroughProxies, title } = await import(
  "#tests/support/scaled/proxied-posters.ts"
);

beforeAll(addTitle);

testPostersThroughProxies(
  Array.from({ length: 13 }, (_, step) => `/poster/${title}.webp?w=${80 * (step + 2)}`),
);
