import { readFileSync } from "node:fs";

/** The text of a file that the site ships, with these texts replaced. Throws if the file does not contain one of them. */
export function shippedFile(path: string, replaced: Readonly<Record<string, string>>): string {
  let text = readFileSync(path, "utf8");
  for (const [shipped, ours] of Object.entries(replaced)) {
    if (!text.includes(shipped)) throw new Error(`${path} does not contain ${shipped}`);
    text = text.replaceAll(shipped, ours);
  }
  return text;
}
