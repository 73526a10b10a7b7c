export const moods = ["day", "dusk", "night", "ember", "soft", "gray", "neon"] as const;
export type Mood = (typeof moods)[number];

/** The colors of a time of day: sky from top to horizon, sun or moon, and land from far to near. */
export type Palette = {
  mood: Mood;
  sky: readonly [string, string, string];
  light: string;
  far: string;
  near: string;
  /** A contrasting color for details such as lanterns and the line with type and year. */
  accent: string;
};

export const palettes: readonly Palette[] = [
  {
    mood: "dusk",
    sky: ["#1b1b4b", "#7a3b86", "#f4956c"],
    light: "#ffe3b0",
    far: "#8f4a7e",
    near: "#140f2b",
    accent: "#ff8d6b",
  },
  {
    mood: "day",
    sky: ["#0d2f5e", "#2f7cb6", "#bfe6ea"],
    light: "#fffbe8",
    far: "#5fa3bd",
    near: "#0a2038",
    accent: "#ffd166",
  },
  {
    mood: "night",
    sky: ["#070b24", "#152a5c", "#3d5fa0"],
    light: "#f3f0dc",
    far: "#2b4580",
    near: "#050816",
    accent: "#f2c57c",
  },
  {
    mood: "night",
    sky: ["#06151f", "#0e4650", "#4fb59a"],
    light: "#e4ffe9",
    far: "#1f6a68",
    near: "#041015",
    accent: "#9bf0c8",
  },
  {
    mood: "ember",
    sky: ["#3b0f2b", "#a1263f", "#f58b4c"],
    light: "#ffe9c7",
    far: "#95303f",
    near: "#1d0718",
    accent: "#ffc56b",
  },
  {
    mood: "soft",
    sky: ["#2c1b52", "#6b4fa8", "#f0b6d1"],
    light: "#fff1f6",
    far: "#8a6bb5",
    near: "#170e30",
    accent: "#ff9ec6",
  },
  {
    mood: "day",
    sky: ["#123227", "#3d7a52", "#d9e3a1"],
    light: "#fffde0",
    far: "#5d915f",
    near: "#081710",
    accent: "#f6d36b",
  },
  {
    mood: "dusk",
    sky: ["#102542", "#d1495b", "#f8c27a"],
    light: "#fff0cf",
    far: "#a8485f",
    near: "#0d1526",
    accent: "#66d7d1",
  },
  {
    mood: "gray",
    sky: ["#23272f", "#59616e", "#c6c9c8"],
    light: "#f4f1ea",
    far: "#70777f",
    near: "#101317",
    accent: "#d64545",
  },
  {
    mood: "neon",
    sky: ["#15102e", "#3b1f6b", "#c13f8f"],
    light: "#ffd9f0",
    far: "#5c2b82",
    near: "#0b0719",
    accent: "#4ee3f0",
  },
  {
    mood: "ember",
    sky: ["#3a1d12", "#a6572c", "#f0c278"],
    light: "#fff4d6",
    far: "#9c5a34",
    near: "#1b0d08",
    accent: "#ffe08a",
  },
  {
    mood: "dusk",
    sky: ["#0b2540", "#24648a", "#f3d9b8"],
    light: "#fff6e6",
    far: "#4a7f96",
    near: "#071626",
    accent: "#ff9f68",
  },
  {
    mood: "day",
    sky: ["#1673b8", "#5db7e8", "#fdf3d8"],
    light: "#fffdf2",
    far: "#6fae9a",
    near: "#0b2a2b",
    accent: "#ffe27a",
  },
  {
    mood: "soft",
    sky: ["#5c8fc9", "#f3b8a8", "#fde6c8"],
    light: "#fffaf0",
    far: "#b98a95",
    near: "#2a1c33",
    accent: "#ff8f70",
  },
  {
    mood: "ember",
    sky: ["#1a0d14", "#4a0f1f", "#c2263d"],
    light: "#ffd8c2",
    far: "#651426",
    near: "#0d0509",
    accent: "#ff5d5d",
  },
  {
    mood: "day",
    sky: ["#0f4c5c", "#5fa8a3", "#f6e7b4"],
    light: "#fffbe6",
    far: "#5d9a8b",
    near: "#07232b",
    accent: "#f4a259",
  },
  {
    mood: "soft",
    sky: ["#7fb8c9", "#cfe6d4", "#fff3dc"],
    light: "#fffdf5",
    far: "#9dbfae",
    near: "#20333a",
    accent: "#ff9a9e",
  },
  {
    mood: "soft",
    sky: ["#6d5bb0", "#c79be0", "#ffe3ea"],
    light: "#fff7fb",
    far: "#9c7fc4",
    near: "#22163f",
    accent: "#ffd36b",
  },
  {
    mood: "neon",
    sky: ["#06122b", "#0b3f7a", "#17b5c9"],
    light: "#d8fbff",
    far: "#12578f",
    near: "#030a1a",
    accent: "#ff4fa3",
  },
  {
    mood: "neon",
    sky: ["#130a2e", "#4a1e9e", "#ff6a5c"],
    light: "#ffe6c9",
    far: "#5a2aa8",
    near: "#0a0420",
    accent: "#4dffd2",
  },
  {
    mood: "gray",
    sky: ["#2b2520", "#75685b", "#d8c9b0"],
    light: "#fbf3e2",
    far: "#8a7b6b",
    near: "#16110d",
    accent: "#c8553d",
  },
  {
    mood: "gray",
    sky: ["#16202a", "#3f5566", "#a9bcc4"],
    light: "#eef4f4",
    far: "#587080",
    near: "#0a1016",
    accent: "#e0b04c",
  },
  {
    mood: "night",
    sky: ["#140b2d", "#3a2a72", "#8f79c9"],
    light: "#f4eefc",
    far: "#4a3a86",
    near: "#090417",
    accent: "#7fe0ff",
  },
];

export function mix(from: string, to: string, share: number): string {
  const channel = (at: number) => {
    const [a, b] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16)) as [
      number,
      number,
    ];
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** The same colors at another hour, so that the parts of a franchise differ. The first part has the palette itself. */
export function atHour(palette: Palette, hour: number): Palette {
  const towards = [null, palette.accent, palette.near, palette.light][hour % 4] ?? null;
  if (towards === null) return palette;
  const [top, middle, low] = palette.sky;
  return {
    ...palette,
    sky: [mix(top, towards, 0.26), mix(middle, towards, 0.42), mix(low, towards, 0.3)],
    far: mix(palette.far, towards, 0.3),
    light: mix(palette.light, towards, 0.25),
  };
}
