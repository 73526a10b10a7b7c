/** An ASS script in which every frame is heavy to draw: 300 signs, lines that move, grow, turn and blur, and karaoke. */

const [width, height] = [1280, 720];
/** The duration of a line. Lines overlap, so that lines begin and end all the time. */
const lineSeconds = 3;

const position = (at: number) => `${30 + 64 * (at % 20)},${40 + 42 * Math.floor(at / 20)}`;

const signs = Array.from({ length: 300 }, (_, at) => `{\\fs20\\pos(${position(at)})}${at}`);
const moving = Array.from(
  { length: 8 },
  (_, at) => `{\\fs36\\bord3\\move(0,${80 + 70 * at},1280,${640 - 70 * at})}The last train`,
);
const growing = Array.from(
  { length: 6 },
  (_, at) => `{\\an5\\pos(${200 * (at + 1)},360)\\t(\\fscx250\\fscy250\\frz${60 * at}\\1c&H40FF40&)}Station`,
);
const blurred = Array.from(
  { length: 4 },
  (_, at) => `{\\an5\\pos(${300 * (at + 1)},200)\\bord6\\blur6\\t(\\blur1\\frx40)}Snow`,
);
const syllables = "ki mi no to na ri de a me no o to o ki i te i ru".split(" ");
const sung = [2, 8].map(
  (alignment) =>
    `{\\an${alignment}\\fs54\\bord4\\blur3}${syllables
      .map((one, at) => `{\\kf15\\t(${150 * at},${150 * at + 150},\\fscy140\\3c&H0080FF&)}${one}`)
      .join("")}`,
);

export function heavyScript(seconds: number): string {
  const lines = [...signs, ...moving, ...growing, ...blurred, ...sung];
  const starts = Array.from({ length: Math.ceil(seconds / lineSeconds) }, (_, at) => at * lineSeconds);
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: Default,Liberation Sans,48,&H00FFFFFF,&H000000FF,&H000060FF,&H80000000,0,0,0,0,100,100,0,0,1,2,1,2,10,10,20,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${starts.flatMap((start) => lines.map((text) => `Dialogue: 0,${clock(start)},${clock(start + lineSeconds)},Default,,0,0,0,,${text}`)).join("\n")}
`;
}

const clock = (seconds: number) =>
  `0:${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}.00`;
