/**
 * Gives lines at the top of the picture a margin of their own. The player moves lines at the bottom by the margin of
 * their style. A line that its text puts at the top can have the same style, and would move down with it.
 */
export function withMarginsOfTopLines(script: string): string {
  const margins = marginsOf(script);
  const columns = columnsOf(script, "events") ?? usualColumns;
  const [style, margin] = [columns.indexOf("style"), columns.indexOf("marginv")];
  if (style < 0 || margin < 0) return script;
  return script.replace(/^dialogue:.*$/gim, (line) => {
    if (!line.includes("\\a") || line.length > maxLineLength) return line;
    const head = line.split(",", columns.length - 1);
    const text = line.slice(head.join(",").length);
    const lineMargin = Number(head[margin]);
    if (!isAtTop(text) || lineMargin !== 0) return line;
    const name = (head[style] ?? "").trim().replace(/^\*+/, "");
    const ofStyle = margins.get(name) ?? margins.get("Default");
    // At least 1, because 0 would mean the margin of the style.
    return ofStyle === undefined ? line : head.with(margin, `${Math.max(1, ofStyle)}`).join(",") + text;
  });
}

/** Longer lines are drawings. */
const maxLineLength = 65_536;
const usualColumns = "layer,start,end,style,name,marginl,marginr,marginv,effect,text".split(",");

/** The first alignment of a line counts. `\an` is numbered like a numeric keypad; `\a` adds 4 for the top. */
function isAtTop(text: string): boolean {
  for (const [block] of text.matchAll(/\{[^{}]*\}/g)) {
    const [, kind, place = ""] = /\\(an?)(\d{1,2})/.exec(block) ?? [];
    if (kind !== undefined) return (kind === "an" ? /^[789]$/ : /^[567]$/).test(place);
  }
  return false;
}

/** The names of the columns of a section. */
function columnsOf(script: string, section: "events" | "styles"): string[] | null {
  const start = script.search(new RegExp(`^\\[[\\w+ ]*${section}\\]`, "im"));
  const format =
    start < 0 ? undefined : /^format:(.*)$/im.exec(script.slice(start, start + maxLineLength))?.[1];
  return format?.split(",").map((name) => name.trim().toLowerCase()) ?? null;
}

function marginsOf(script: string): ReadonlyMap<string, number> {
  const columns = columnsOf(script, "styles") ?? [];
  const [name, margin] = [columns.indexOf("name"), columns.indexOf("marginv")];
  const margins = new Map<string, number>();
  for (const [, values = ""] of script.matchAll(/^style:(.*)$/gim)) {
    const fields = values.split(",").map((value) => value.trim());
    const styleMargin = Number(fields[margin]);
    if (name >= 0 && margin >= 0 && Number.isFinite(styleMargin))
      margins.set(fields[name] ?? "", styleMargin);
  }
  return margins;
}
