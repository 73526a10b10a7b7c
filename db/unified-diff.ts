/** The changes of a unified diff to one file. */
type FileDiff = { path: string; hunks: Hunk[] };

/** `before` contains the old lines from line number `start`, `after` the lines that replace them. */
type Hunk = { start: number; before: string[]; after: string[] };

/**
 * Skips the text above the first file. Below it, a line outside all hunks is an error: if a hunk is edited by hand and
 * its counts are not, the end of the hunk would be lost.
 */
export function readDiff(text: string): FileDiff[] {
  const files: FileDiff[] = [];
  const lines = text.split("\n");
  for (let number = 0; number < lines.length; ) {
    const line = lines[number++] ?? "";
    const [, path] = /^\+\+\+ b\/(.+)$/.exec(line) ?? [];
    const header = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (path) files.push({ path, hunks: [] });
    else if (header && files.length > 0) {
      const [, start, oldCount = 1, newCount = 1] = header;
      const hunk: Hunk = { start: Number(start), before: [], after: [] };
      while (hunk.before.length < Number(oldCount) || hunk.after.length < Number(newCount))
        readLine(lines[number++], hunk, number);
      files.at(-1)?.hunks.push(hunk);
    } else if (files.length > 0 && !/^(?:diff |index |--- |$)/.test(line))
      throw new Error(`line ${number} belongs to no hunk: ${line}`);
  }
  return files;
}

function readLine(line: string | undefined, { before, after }: Hunk, number: number) {
  // Some editors remove trailing spaces, and an empty context line is a single space.
  const [sign, content] = line === "" ? [" ", ""] : [line?.[0] ?? "", line?.slice(1) ?? ""];
  if (!" -+".includes(sign) || sign === "") throw new Error(`line ${number} ends a hunk too early`);
  if (sign !== "+") before.push(content);
  if (sign !== "-") after.push(content);
}

/** Throws unless every hunk matches exactly at its line number. */
export function applyDiff(source: string, { path, hunks }: FileDiff): string {
  const lines = source.split("\n");
  for (const { start, before } of hunks) {
    const mismatch = before.findIndex((line, offset) => lines[start - 1 + offset] !== line);
    if (mismatch !== -1 || before.length === 0)
      throw new Error(
        `line ${start + Math.max(mismatch, 0)} of ${path} is not "${before[mismatch]?.trim() ?? ""}"`,
      );
  }
  // The last hunk is applied first, so that the line numbers of the remaining hunks stay right.
  for (const { start, before, after } of hunks.toReversed()) lines.splice(start - 1, before.length, ...after);
  return lines.join("\n");
}
