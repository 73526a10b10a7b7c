import { readFileSync } from "node:fs";

type PageScore = { page: string; state: string; score: number; weakness: string };

/** The rows of docs/page-scores.md. */
export function readPageScores(): PageScore[] {
  const text = readFileSync(new URL("../../../docs/page-scores.md", import.meta.url), "utf8");
  return [...text.matchAll(/^\| `([^`]+)`\s*\|([^|]*)\|\s*(\d+\.\d)\s*\|([^|]*)\|$/gm)].map(
    ([, page = "", state = "", score, weakness = ""]) => ({
      ...{ page, state: state.trim(), score: Number(score), weakness: weakness.trim() },
    }),
  );
}
