import {
  blade,
  bowl,
  burst,
  castle,
  grid,
  machine,
  manor,
  meadow,
  road,
  school,
  spiral,
  stadium,
  stage,
  wand,
} from "./emblem-scenes.ts";
import { blossom, forest, mountains, sea, snow, waves, wires } from "./landscape-scenes.ts";
import { city, gate, lanterns, rain, space } from "./night-scenes.ts";
import { type Mood, moods } from "./palettes.ts";
import type { Scene } from "./svg-shapes.ts";

/** Chooses the scenes and colors that suit a title, by its themes and genres. */

type Motif = { scenes: readonly Scene[]; moods: readonly Mood[] };

/** Sorted by how much the tags say about a story. The first motif with one of the title's tags is used. */
const motifs: readonly (Motif & { tags: readonly string[] })[] = [
  {
    tags: ["Space"],
    scenes: [space],
    moods: ["night", "neon"],
  },
  {
    tags: ["Mecha"],
    scenes: [machine],
    moods: ["dusk", "day", "night", "ember"],
  },
  {
    tags: ["Racing"],
    scenes: [road],
    moods: ["dusk", "night", "neon"],
  },
  {
    tags: ["Team Sports", "Combat Sports", "Sports"],
    scenes: [stadium],
    moods: ["day", "night", "dusk"],
  },
  {
    tags: ["Mahou Shoujo"],
    scenes: [wand],
    moods: ["soft", "neon"],
  },
  {
    tags: ["Music", "Idols (Female)", "Idols (Male)", "Performing Arts", "Showbiz"],
    scenes: [stage],
    moods: ["neon", "night", "soft"],
  },
  {
    tags: ["Gourmet"],
    scenes: [bowl],
    moods: ["ember", "day", "soft"],
  },
  {
    tags: ["Samurai"],
    scenes: [blade, gate, waves],
    moods: ["ember", "gray", "dusk"],
  },
  {
    tags: ["Vampire", "Horror"],
    scenes: [manor],
    moods: ["ember", "gray", "night"],
  },
  {
    tags: ["Video Game", "High Stakes Game", "Strategy Game"],
    scenes: [grid],
    moods: ["neon", "night"],
  },
  {
    tags: ["Psychological"],
    scenes: [spiral],
    moods: ["neon", "gray", "night", "ember"],
  },
  {
    tags: ["Military", "Survival"],
    scenes: [mountains, city],
    moods: ["ember", "gray"],
  },
  {
    tags: ["Detective", "Organized Crime", "Mystery", "Suspense"],
    scenes: [rain, city],
    moods: ["gray", "night", "neon"],
  },
  {
    tags: ["Gore"],
    scenes: [blade, rain, forest],
    moods: ["ember", "gray", "night"],
  },
  {
    tags: ["Time Travel"],
    scenes: [space, grid, wires],
    moods: ["dusk", "neon", "day"],
  },
  {
    tags: ["Mythology"],
    scenes: [gate, lanterns],
    moods: ["dusk", "night", "ember"],
  },
  {
    tags: ["Isekai", "Reincarnation", "Villainess"],
    scenes: [castle],
    moods: ["day", "dusk", "soft"],
  },
  {
    tags: ["Pets", "Anthropomorphic", "Childcare", "Kids"],
    scenes: [meadow, burst],
    moods: ["day", "soft"],
  },
  {
    tags: ["Martial Arts", "Super Power"],
    scenes: [blade, burst],
    moods: ["ember", "dusk", "neon"],
  },
  {
    tags: ["Historical"],
    scenes: [gate, waves, castle],
    moods: ["ember", "dusk", "gray"],
  },
  {
    tags: ["Iyashikei"],
    scenes: [wires, meadow, sea],
    moods: ["day", "soft"],
  },
  {
    tags: ["Gag Humor", "Parody"],
    scenes: [burst],
    moods: ["day", "soft", "neon"],
  },
  {
    tags: ["Urban Fantasy"],
    scenes: [lanterns, city, gate],
    moods: ["night", "neon"],
  },
  {
    tags: ["School"],
    scenes: [school, blossom, wires],
    moods: ["day", "soft", "dusk"],
  },
  {
    tags: ["Girls Love", "Boys Love", "Romance", "Love Polygon"],
    scenes: [blossom, sea, lanterns],
    moods: ["soft", "dusk"],
  },
  {
    tags: ["Supernatural"],
    scenes: [lanterns, gate, forest],
    moods: ["night", "dusk"],
  },
  {
    tags: ["Workplace", "Adult Cast", "Otaku Culture", "Delinquents"],
    scenes: [city, rain],
    moods: ["dusk", "gray"],
  },
  {
    tags: ["Magic", "Fantasy"],
    scenes: [castle, forest, mountains],
    moods: ["dusk", "day", "soft"],
  },
  {
    tags: ["Sci-Fi"],
    scenes: [grid, city, space],
    moods: ["neon", "night"],
  },
  {
    tags: ["Slice of Life"],
    scenes: [wires, school, meadow],
    moods: ["day", "soft"],
  },
  {
    tags: ["Action"],
    scenes: [blade],
    moods: ["ember", "dusk"],
  },
  {
    tags: ["Adventure"],
    scenes: [mountains, sea],
    moods: ["day", "dusk"],
  },
  {
    tags: ["Comedy"],
    scenes: [burst, meadow, wires],
    moods: ["day", "soft"],
  },
  {
    tags: ["Drama"],
    scenes: [snow, sea, rain],
    moods: ["dusk", "gray"],
  },
  {
    tags: ["Avant Garde"],
    scenes: [spiral, waves],
    moods: ["neon", "gray", "soft"],
  },
];

/** For titles without a theme or genre in the catalog. */
const unknown: Motif = {
  scenes: [mountains, sea, city, wires, forest, blossom, gate, waves, lanterns, snow],
  moods,
};

export const motifOf = (tags: readonly string[]): Motif =>
  motifs.find((motif) => motif.tags.some((tag) => tags.includes(tag))) ?? unknown;
