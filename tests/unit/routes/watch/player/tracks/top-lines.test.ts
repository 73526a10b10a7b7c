import { expect, test } from "vitest";
import { withMarginsOfTopLines } from "#app/routes/watch/player/tracks/top-lines.ts";

const head = `[Script Info]
PlayResY: 360

[V4+ Styles]
Format: Name, Fontname, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Arial,2,10,10,20,1
Style: Flush,Arial,2,10,10,0,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;
const dialogue = (style: string, margin: string, text: string) =>
  `Dialogue: 0,0:00:01.00,0:00:02.00,${style},,0,0,${margin},,${text}`;
const marginIn = (line: string) => /^(?:[^,]*,){7}(\d+),/.exec(line)?.[1];
const written = (line: string) => {
  const script = withMarginsOfTopLines(`${head}${line}\n`);
  expect(script.startsWith(head)).toBe(true);
  return script.slice(head.length, -1);
};

test.each([
  ["at the top", "Default", "0", "{\\an8}Up, here", "20"],
  ["at the top, with the old tag", "Default", "0", "{\\a6}Up", "20"],
  ["at the top behind other tags", "Default", "0", "{\\b1}{\\i1\\an7}Up", "20"],
  ["at the top of a style without a margin", "Flush", "0", "{\\an9}Up", "1"],
  ["at the top of a style that the script lacks", "Missing", "0", "{\\an8}Up", "20"],
  ["at the top with a margin of its own", "Default", "0050", "{\\an8}Up", "0050"],
  ["at the bottom", "Default", "0", "{\\an2}Down", "0"],
  ["at the bottom by its first tag", "Default", "0", "{\\an2}{\\an8}Down", "0"],
  ["in the middle", "Default", "0", "{\\a10}Middle", "0"],
  ["without a tag", "Default", "0", "Down \\an8", "0"],
])("a line %s", (_, style, margin, text, expected) => {
  const line = dialogue(style, margin, text);
  expect(marginIn(written(line))).toBe(expected);
  expect(written(line).endsWith(`,,${text}`)).toBe(true);
});

test("a script without columns or styles stays unchanged", () => {
  for (const script of ["", "Dialogue: {\\an8}", "[Events]\nFormat: Start, Text\nDialogue: 1,{\\an8}Up\n"])
    expect(withMarginsOfTopLines(script)).toBe(script);
});
