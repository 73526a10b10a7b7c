import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The matching of file names with the catalog: title and episode, whether the match is sure, and the reason if it is not. */

const folder = temporaryFolder("matching");
process.env.MEDIA_DIR = folder;
await import("#tests/support/site/in-process.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const playback = await import("#app/domain/playback/playback.server.ts");

const titles = [
  { mal_id: 1, title: "Kaze no Ie", title_english: "House of Wind", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 2, title: "House of Wind Season 2", type: "TV", episodes: 12, year: 2012 },
  { mal_id: 3, title: "Kaze no Ie OVA", type: "OVA", episodes: 2, year: 2011 },
  { mal_id: 4, title: "Tori no Uta", type: "TV", episodes: 13, year: 1999 },
  {
    mal_id: 5,
    title: "Tori no Uta (2015)",
    title_synonyms: ["Tori no Uta"],
    type: "TV",
    episodes: 60,
    year: 2015,
  },
  { mal_id: 6, title: "Mori!", type: "TV", episodes: 12, year: 2009 },
  { mal_id: 7, title: "Kawa no Kioku Movie 03: Natsu no Owari", type: "Movie", episodes: 1, year: 1994 },
  { mal_id: 8, title: "Ishi: Hoshi no Hajimari R2", type: "TV", episodes: 25, year: 2008 },
  { mal_id: 9, title: "Yama Monogatari", type: "TV", episodes: 12, year: 2020 },
  { mal_id: 10, title: "Yama Monogatari Part 2", type: "TV", episodes: 12, year: 2020 },
  { mal_id: 11, title: "Hana no Tabibito Mary Lane", type: "TV", episodes: 50, year: 1992 },
  { mal_id: 16, title: "Sora", type: "TV", episodes: 45, year: 1986 },
  { mal_id: 17, title: "Sora (2022)", type: "TV", episodes: 12, year: 2022 },
  { mal_id: 33, title: "Kumo no Michi", type: "TV", episodes: 25, year: 2003 },
  { mal_id: 34, title: "Kumo no Michi: Yuki", type: "TV", episodes: 12, year: 2005 },
  { mal_id: 35, title: "Kumo no Michi: Hana", type: "TV", episodes: 13, year: 2006 },
  { mal_id: 36, title: "Kumo no Michi: Gekijou", type: "Movie", episodes: 1, year: 2004 },
  {
    mal_id: 37,
    title: "Kumo no Michi Movie 1: Haru",
    title_english: "Kumo no Michi: The Movie",
    type: "Movie",
    episodes: 1,
    year: 2004,
  },
  { mal_id: 38, title: "Ame no Hi", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 39, title: "Ame no Hi.", type: "TV", episodes: 12, year: 2013 },
  {
    mal_id: 40,
    title: "Nagai Yoru no Monogatari",
    title_japanese: "長い夜の物語とその続き",
    type: "TV",
    episodes: 12,
  },
  { mal_id: 41, title: "Nagai Yoru no Monogatari Movie", type: "Movie", episodes: 1 },
  { mal_id: 52, title: "Niji no Machi", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 53, title: "Niji no Machi 2nd Season", type: "TV", episodes: 24, year: 2011 },
  { mal_id: 54, title: "Niji no Machi 3rd Season", type: "TV", episodes: 10, year: 2012 },
  { mal_id: 55, title: "Niji no Machi 3rd Season Part 2", type: "TV", episodes: 12, year: 2012 },
  { mal_id: 56, title: "Mizu no Oto", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 57, title: "Mizu no Oto: Kaeri", type: "TV", episodes: 12, year: 2011 },
  { mal_id: 58, title: "Mizu no Oto: Owari", type: "TV", episodes: 10, year: 2012 },
  { mal_id: 59, title: "Kawa no Koe", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 60, title: "Kawa no Koe 2nd Season", type: "TV", episodes: 12, year: 2011 },
  { mal_id: 61, title: "Kawa no Koe 3rd Season", type: "TV", episodes: 10, year: 2012 },
  { mal_id: 200, title: "Mine no Yuki", type: "TV", episodes: 24, year: 2010 },
  { mal_id: 201, title: "Mine no Yuki Season 2", type: "TV", episodes: 23, year: 2011 },
  { mal_id: 202, title: "Mine no Yuki Season 2 Recaps", type: "TV Special", year: 2011 },
  // db/continued-numbers.txt also counts this title from its first season on.
  { mal_id: 40935, title: "Tani no Kaze 2nd Season", type: "TV", episodes: 12, year: 2011 },
  { mal_id: 62, title: "Tsuki!", type: "TV", episodes: 12, year: 2009 },
  { mal_id: 63, title: "Tsuki!!", type: "TV", episodes: 12, year: 2012 },
  { mal_id: 64, title: "Asa no Hikari", type: "TV", episodes: 12, year: 2015 },
  { mal_id: 65, title: "Asa no Hikari II", type: "TV", episodes: 12, year: 2017 },
  { mal_id: 66, title: "Asa no Hikari 3rd Season", type: "TV", episodes: 12, year: 2019 },
  {
    mal_id: 67,
    title: "Kumo no Michi Movie 2: Aki",
    title_english: "Kumo no Michi: Autumn Light",
    type: "Movie",
    episodes: 1,
    year: 2006,
  },
  { mal_id: 68, title: "Nagai Tabi", type: "TV", episodes: 500, year: 1999 },
  { mal_id: 69, title: "Nagai Tabi: Saigo", type: "Movie", episodes: 1, year: 2012 },
  { mal_id: 31, title: "Hoshi no Niwa", type: "TV", episodes: 26, year: 2001 },
  {
    mal_id: 32,
    title: "Hoshi no Niwa 2nd Season",
    title_synonyms: ["Hoshi no Niwa (2019)"],
    type: "TV",
    episodes: 25,
    year: 2020,
  },
  {
    mal_id: 18,
    title: "Tori no Uta: Natsuyasumi",
    title_synonyms: ["Tori no Uta Episode 7.5"],
    type: "Special",
    episodes: 1,
  },
  { mal_id: 19, title: "House of Wind 2nd Season Episode 10.5", type: "OVA", episodes: 1 },
  {
    mal_id: 20,
    title: "Natsuyasumi no Futari",
    title_synonyms: ["Tori no Uta Episode 3.5", "Tori no Uta Episode 9.5"],
    type: "Special",
    episodes: 2,
  },
  {
    mal_id: 12,
    title: "Umi no Ie",
    type: "TV",
    episodes: 12,
    external_ids: ["tvdb:500:1", "anidb:50"],
    aired_from: "2001-01-01",
  },
  {
    mal_id: 13,
    title: "Umi no Ie: Aki",
    type: "TV",
    episodes: 13,
    external_ids: ["tvdb:500:2"],
    aired_from: "2002-01-01",
  },
  {
    mal_id: 14,
    title: "Umi no Ie: Fuyu",
    type: "TV",
    episodes: 10,
    external_ids: ["tvdb:500:2"],
    aired_from: "2002-10-01",
  },
  { mal_id: 70, title: "Hato", type: "TV", episodes: 175, year: 2009 },
  { mal_id: 71, title: "Hato: 100 Days", type: "TV", episodes: 12, year: 2020 },
  { mal_id: 72, title: "Tani no Hana", type: "TV", episodes: 12, year: 2010 },
  { mal_id: 73, title: "Tani no Hana: Kaze-hen", type: "TV", episodes: 13, year: 2012 },
  { mal_id: 75, title: "Kidou Gundan: Tetsu no Hana", type: "TV", episodes: 25, year: 2015 },
  { mal_id: 76, title: "Hikari Tantei", title_japanese: "光探偵", type: "TV", year: 1996 },
  ...[1, 2, 3].map((number) => ({
    mal_id: 76 + number,
    title: `Light Detective Movie ${number}`,
    title_japanese: `光探偵 時計${number}`,
    type: "Movie",
    episodes: 1,
    year: 1996 + number,
  })),
  { mal_id: 80, title: "Tora no Mon", type: "OVA", episodes: 10, year: 1992 },
  { mal_id: 81, title: "Tora no Mon (TV)", type: "TV", episodes: 26, year: 2015 },
  { mal_id: 82, title: "Ane no Heya", type: "OVA", episodes: 12, year: 2008 },
  {
    mal_id: 83,
    title: "Ane no Heya: Series",
    title_synonyms: ["Ane no Heya"],
    type: "TV",
    episodes: 12,
    year: 2010,
  },
  { mal_id: 86, title: "Nami Part 1", type: "Movie", episodes: 1, year: 2013 },
  { mal_id: 84, title: "Sango", type: "TV", episodes: 12, year: 2012 },
  { mal_id: 85, title: "Sango (2014)", type: "Movie", episodes: 1, year: 2014 },
  { mal_id: 87, title: "Umi no Neko", type: "TV", episodes: 170, year: 2005 },
  { mal_id: 88, title: "Umi no Neko 2nd Season", type: "TV", episodes: 12, year: 2024 },
  { mal_id: 89, title: "Yuki no Machi", type: "TV", episodes: 12, year: 2015 },
  { mal_id: 90, title: "Yuki no Machi Season 2", type: "TV", episodes: 12, year: 2017 },
  { mal_id: 91, title: "Yuki no Machi Season 2 Part 2", type: "TV", episodes: 10, year: 2018 },
  {
    mal_id: 92,
    title: "Asa no Hikari: Bento",
    title_english: "Asa no Hikari Special",
    type: "Special",
    episodes: 1,
  },
  { mal_id: 93, title: "Natsu: Fune de Yoru Season 2", type: "TV", episodes: 12, year: 2014 },
  { mal_id: 94, title: "Kitsune no Yado", title_synonyms: ["KnY"], type: "TV", episodes: 26, year: 2019 },
  {
    mal_id: 95,
    title: "Kitsune no Yado: Machi-hen",
    title_synonyms: ["KnY 2"],
    type: "TV",
    episodes: 11,
    year: 2021,
  },
  { mal_id: 96, title: "Ishi: Hoshi no Hajimari R2 Picture Drama", type: "Special", episodes: 9 },
  {
    mal_id: 15,
    title: "Umi no Eiga",
    type: "Movie",
    episodes: 1,
    year: 2001,
    external_ids: ["imdb:tt0123456", "tmdb-movie:77"],
  },
];

const sequels = [
  [52, 53],
  [53, 54],
  [54, 55],
  [56, 57],
  [57, 58],
  [33, 36],
  [33, 34],
  [34, 35],
] as const;

/** The path of a file or folder, and the expected title, episode, state and part of the reason. */
const expected: [path: string, found: string, reason?: RegExp][] = [
  // The catalog has this season only under the title's other name.
  ["a/Kaze no Ie S2 - 05.mkv", "2 | 5 | new"],
  [
    "a/Kaze no Ie S3 - 05.mkv",
    "1 | 5 | unsure",
    /similar to Kaze no Ie; no title of the catalog is named as this season/,
  ],
  // A special that is a title of its own, and one that the catalog lacks.
  ["a/Kaze no Ie - OVA 2.mkv", "3 | 2 | new"],
  ["a/Tori no Uta (1999) - SP1.mkv", "4 |  | unsure", /special/],
  ["a/Kaze no Ie - 07.5.mkv", "1 |  | unsure", /no whole episode/],
  // A half episode that is a title of its own, alone or beside other episodes.
  ["i/Tori no Uta - 07.5 [720p].mkv", "18 |  | new"],
  ["i/Tori no Uta/07.5.mkv", "18 |  | new"],
  ["i/House of Wind S2 - 10.5.mkv", "19 |  | new"],
  ["i/Tori no Uta - 03.5.mkv", "4 |  | unsure", /no whole episode/],
  // The special of a series that also has a film.
  [
    "a/Nagai Yoru no Monogatari/Season 00/Nagai Yoru no Monogatari - S00E01.mkv",
    "40 |  | unsure",
    /specials/,
  ],
  [
    "a/[Group] Nagai Yoru no Monogatari/SPs/[Group] Nagai Yoru no Monogatari [Mini01].mkv",
    "40 |  | unsure",
    /specials/,
  ],
  ["a/Kumo no Michi Movie.mkv", "37 |  | new"],
  // A full stop tells the second season from the first.
  ["a/[Group] Ame no Hi. [04][1080p].mkv", "39 | 4 | new"],
  ["a/[Group] Ame no Hi [05][1080p].mkv", "38 | 5 | new"],
  // One letter more is a sequel in Japanese.
  ["a/長い夜の物語とその続きB 第9話.mkv", "40 | 9 | unsure", /is similar to/],
  // Two titles have the same name: the year decides, or the films beside it.
  ["b/Tori no Uta (1999) - 02.mkv", "4 | 2 | new"],
  ["b/Tori no Uta (2015) - 02.mkv", "5 | 2 | new"],
  ["b/Sora (2022) - 02.mkv", "17 | 2 | new"],
  ["b/Sora (1986) - 44.mkv", "16 | 44 | new"],
  // The numbers may continue in sequels of the same type, which a person must confirm.
  ["k/Kumo no Michi - 25.mkv", "33 | 25 | new"],
  ["l/Kumo no Michi - 26.mkv", "34 | 1 | unsure", /beyond Kumo no Michi, and goes on here/],
  ["l/Kumo no Michi - 38-39.mkv", "35 | 1 | unsure", /goes on here/],
  ["l/Kumo no Michi - 37-38.mkv", "33 | 37 | unsure", /has 25 episodes/],
  ["l/Kumo no Michi - 51.mkv", "33 | 51 | unsure", /has 25 episodes/],
  // The number of a later season may count from the first season on, which a person must confirm.
  ["m/Kawa no Koe third season - 26.mkv", "61 | 2 | unsure", /counts from the first season on/],
  ["m/Kawa no Koe/Season 3/34.mkv", "61 | 10 | unsure", /counts from the first season on/],
  ["m/Kawa no Koe 2nd Season - 14.mkv", "60 | 2 | unsure", /counts from the first season on/],
  ["n/Kawa no Koe 3rd Season - 40.mkv", "61 | 40 | unsure", /the title has 10 episodes/],
  ["m/Mizu no Oto 3rd Season - 26.mkv", "58 | 2 | unsure", /counts from the first season on/],
  ["m/Mizu no Oto S2E14.mkv", "57 | 2 | unsure", /counts from the first season on/],
  ["m/Niji no Machi S2 - 35.mkv", "53 | 23 | unsure", /counts from the first season on/],
  ["n/Niji no Machi 2nd Season - 13.mkv", "53 | 13 | unsure", /may count from the first season on/],
  ["o/Niji no Machi 2nd Season - 14.mkv", "53 | 14 | new"],
  ["m/Mine no Yuki - S02E23.mkv", "201 | 23 | new"],
  ["w/Mine no Yuki - S02E24.mkv", "201 | 24 | unsure", /has 23 episodes/],
  ["m/Tani no Kaze S2 - 12.mkv", "40935 | 12 | new"],
  ["w/Tani no Kaze S2 - 13.mkv", "40935 | 1 | unsure", /counts from the first season on/],
  ["m/Niji no Machi S3E12.mkv", "55 | 2 | unsure", /goes on here/],
  // The second season lists the year of the first season among its names.
  ["b/Hoshi no Niwa (2019) - 21.mkv", "31 | 21 | unsure", /it is of 2001/],
  ["c/Tori no Uta - 03.mkv", "5 | 3 | new"],
  ["c/Tori no Uta - 44.mkv", "5 | 44 | new"],
  // The name is that of an OVA and of a series, and a number can be of either.
  ["s/[Group] Tora no Mon - 05 [720p].mkv", "80 | 5 | unsure", /^Tora no Mon \(TV\) has the same name$/],
  ["s/Tora no Mon OVA - 06.mkv", "80 | 6 | new"],
  ["s/Ane no Heya - 05.mkv", "82 | 5 | unsure", /^Ane no Heya: Series has the same name$/],
  ["s/Sango - 01.mkv", "84 | 1 | new"],
  // A file without a name of its own may be an extra beside the movie.
  ["Umi no Eiga (2001)/title_t00.mkv", "15 |  | unsure", /another file of its folder/],
  ["Umi no Eiga (2001)/title_t01.mkv", "15 |  | unsure", /another file of its folder/],
  ["t/Umi no Eiga (2001)/00001.m2ts", "15 |  | unsure", /another file of its folder/],
  ["t/Umi no Eiga (2001)/00002.m2ts", "15 |  | unsure", /another file of its folder/],
  ["u/Umi no Eiga (2001)/title_t00.mkv", "15 |  | new"],
  ["u/Umi no Eiga (2001)/title_t00.mp4", "15 |  | new"],
  ["v/Umi no Eiga (2001)/Umi no Eiga (2001).mkv", "15 |  | new"],
  ["v/Umi no Eiga (2001)/title_t01.mkv", "15 |  | unsure", /another file of its folder/],
  // A disc or a part of a movie is not the whole movie.
  [
    "w/Umi no Eiga (2001)/CD1/Umi no Eiga.avi",
    "15 |  | unsure",
    /^it is on disc 1, so it may be only a part$/,
  ],
  ["w/Umi no Eiga (2001)/CD2/Umi no Eiga.avi", "15 |  | unsure", /disc 2/],
  ["x/Umi no Eiga (2001)/Disc 1/title_t00.mkv", "15 |  | unsure", /disc 1/],
  ["y/Umi no Eiga (2001)/Umi no Eiga (2001) - part1.mkv", "15 |  | unsure", /^it is part 1, and/],
  ["y/Umi no Eiga (2001)/Umi no Eiga (2001) (Part 1).mkv", "15 |  | unsure", /^it is part 1, and/],
  ["y/Nami Part 1 (2013).mkv", "86 |  | new"],
  // A number that is too high for the title makes all of its films unsure.
  ["d/House of Wind - 01.mkv", "1 | 1 | unsure", /its folder goes up to 25, and the title has 12 episodes/],
  ["d/House of Wind - 25.mkv", "1 | 25 | unsure", /the title has 12 episodes/],
  ["e/House of Wind (1985) - 01.mkv", "1 | 1 | unsure", /it is of 2010/],
  // A sequel that the catalog lacks is not matched with its prequel.
  ["e/Mori!! - 03.mkv", "6 | 3 | unsure", /ends in other marks/],
  ["e/Mori - 03.mkv", "6 | 3 | new"],
  ["e/Mori Zoku - 03.mkv", " | 3 | unmatched"],
  ["e/Yama Monogatari S2 - 03.mkv", "10 | 3 | unsure", /named as this season/],
  ["e/Yama Monogatari Part 2 - 03.mkv", "10 | 3 | new"],
  ["e/Yama Monogatari 2nd Cour - 03.mkv", "10 | 3 | new"],
  // The name is only a part of the title's name.
  ["e/Kawa no Kioku Movie 3 The End of Summer [DivX] 1994 [480p].avi", "7 |  | new"],
  ["e/Ishi R2 - 20.mkv", "8 | 20 | new"],
  ["e/Mary Lane (DVD) - 33.mkv", "11 | 33 | new"],
  // A side story of the title has a longer name.
  ["z/Ishi R2 - 05.mkv", "8 | 5 | new"],
  // The number of a season says nothing about the words between it and the name.
  ["z/Natsu S02E05.mkv", "93 | 5 | unsure", /its name is a part of Natsu: Fune de Yoru/],
  // Other sites divide a long series into seasons.
  ["z/Umi no Neko S02E05.mkv", "88 | 5 | unsure", /^it may be a season of Umi no Neko, which has 170/],
  ["z/Umi no Neko (2024)/Season 2/Umi no Neko (2024) S02E06.mkv", "88 | 6 | new"],
  // The year is that of the second part of the season.
  [
    "z/Yuki no Machi Season 2 (2018) - 03.mkv",
    "90 | 3 | unsure",
    /^Yuki no Machi Season 2 Part 2 is of 2018$/,
  ],
  ["z/Yuki no Machi Season 2 (2017) - 03.mkv", "90 | 3 | new"],
  // One special among several, and the number of an arc that only initials have.
  ["z/Asa no Hikari SP1.mkv", "92 |  | unsure", /^the title may be another one of the specials$/],
  ["z/Kitsune no Yado S02E08.mkv", "95 | 8 | unsure", /^no title of the catalog is named as this season$/],
  // The number of a movie is no episode.
  ["e/Kumo no Michi Movie 2 - Autumn Light.mkv", "67 |  | new"],
  // Words in brackets before the number belong to the name.
  ["p/[Group] Ishi [Hoshi no Hajimari R2] [05][1080p].mkv", "8 | 5 | new"],
  ["p/[Group] Mori [Natsu no Asa] [05][1080p].mkv", "6 | 5 | unsure", /says more than the title's name/],
  ["p/★07月新番★[Mori!][06][1080p].mkv", "6 | 6 | new"],
  ["p/[Group] Yama Monogatari [07] [5.1].mkv", "9 | 7 | new"],
  // The year can be that of the second season, or of a film with actors.
  ["p/Kawa no Koe (2011) - 05.mkv", "59 | 5 | unsure", /it is of 2010/],
  ["p/Asa no Hikari (2016) - 05.mkv", "64 | 5 | unsure", /it is of 2015/],
  // An id outweighs a year that differs by one.
  ["f/Some Film (2002) [tmdbid=77].mkv", "15 |  | new"],
  // The number at the end is the episode's.
  ["r/Hato - 100 Days - 09.mkv", "71 | 9 | new"],
  ["r/Hato - 50 Days - 09.mkv", "70 | 9 | unsure", /says more than/],
  // The number goes on in the next title whose name begins with the same words.
  ["r/Tani no Hana - 13.mkv", "73 | 1 | unsure", /goes on here/],
  ["r/Gundan - Tetsu no Hana - 13.mkv", "75 | 13 | new"],
  // The series is in the catalog only in another language than its movies.
  ["r/Light Detective - 500.mkv", "76 | 500 | unsure", /are also named 光探偵/],
  // Marks that file names leave out number the seasons.
  ["p/Tsuki S01E03.mkv", "62 | 3 | new"],
  ["p/Tsuki - 04.mkv", "62 | 4 | unsure", /Tsuki!! has the same name/],
  // Without relations, names lead to the sequels.
  ["p/Asa no Hikari - 30.mkv", "66 | 6 | unsure", /goes on here/],
  ["p/Asa no Hikari Season 3 - 31.mkv", "66 | 7 | unsure", /counts from the first season on/],
  // A long series has no seasons in the catalog.
  ["p/Nagai Tabi S14E01.mkv", "68 | 1 | unsure", /no title of the catalog is named as this season/],
  // The films of a folder belong together, so a film with an unknown name is proposed as the same title.
  ["g/Mori - 01.mkv", "6 | 1 | new"],
  ["g/Mori - 02.mkv", "6 | 2 | new"],
  ["g/Mori - 03.mkv", "6 | 3 | new"],
  ["g/Forrest Xyz - 04.mkv", "6 | 4 | unsure", /^the other videos of its folder are of Mori!$/],
  ["h/Mori - 01.mkv", "6 | 1 | new"],
  ["h/Forrest Xyz - 04.mkv", " | 4 | unmatched"],
  // Ids in the names of folders take precedence over names.
  ["Anything (2001) {tvdb-500}/Season 01/Anything - S01E05 - Name.mkv", "12 | 5 | new"],
  ["Anything (2001) {tvdb-500}/Season 02/Anything - S02E05.mkv", "13 | 5 | new"],
  ["Anything (2001) {tvdb-500}/Season 02/Anything - S02E14.mkv", "14 | 1 | new"],
  [
    "Anything (2001) {tvdb-500}/Season 02/Anything - S02E24.mkv",
    "14 | 11 | unsure",
    /the title has 10 episodes/,
  ],
  ["Anything (2001) {tvdb-500}/Season 03/Anything - S03E01.mkv", " | 1 | unmatched"],
  ["Anything (2001) {tvdb-500}/Season 00/Anything - S00E01.mkv", " |  | unmatched"],
  ["Some Show [anidb-50]/03.mkv", "12 | 3 | new"],
  ["f/Some Show [mal-9] - 03.mkv", "9 | 3 | new"],
  ["f/Some Film [tmdbid=77].mkv", "15 |  | new"],
  ["f/Some Film (imdb-tt0123456).mkv", "15 |  | new"],
  // The name clearly means another title than the id does.
  [
    "Yama Monogatari [anidb-50]/Yama Monogatari - 03.mkv",
    "12 | 3 | unsure",
    /its id \(anidb 50\) is that of Umi no Ie, and its name that of Yama Monogatari/,
  ],
  ["Yama Monogatari [mal-999]/03.mkv", "9 | 3 | unsure", /\(mal 999\) is not in this catalog/],
  ["Yama Monogatari [anidb-51]/03.mkv", "9 | 3 | new"],
  ["Yama Monogatari [mal-9]/Yama Monogatari Part 2 - 03.mkv", "10 | 3 | new"],
  // The ids in notes beside the films take precedence in the same way.
  ["Noted/Season 2/02.mkv", "13 | 2 | new"],
  ["Noted Film/whatever.mkv", "15 |  | new"],
  ["Hostile/Mori - 03.mkv", "6 | 3 | new"],
];

const notes = {
  "Noted/tvshow.nfo":
    '<?xml version="1.0"?><tvshow><actor><tvdbid>1</tvdbid></actor><uniqueid type="tvdb" default="true">500</uniqueid></tvshow>\nhttps://example.org/',
  "Noted Film/movie.nfo": "<movie><title>Whatever</title><imdb_id>tt0123456</imdb_id></movie>",
  "Hostile/tvshow.nfo":
    '<!DOCTYPE x [<!ENTITY a "500"><!ENTITY b SYSTEM "file:///etc/passwd">]><tvshow><tvdbid>&a;</tvdbid></tvshow>',
  "tvshow.nfo": "<tvshow><tvdbid>500</tvdbid></tvshow>",
  "e/movie.nfo": "<movie><tmdbid>77</tmdbid></movie>",
};

beforeAll(async () => {
  await importTitles([
    ...titles.map((title) => ({ kind: "title", ...title })),
    ...sequels.map(([from, to]) => ({ kind: "relation", from, to, relation: "sequel" })),
  ]);
  for (const [film] of expected) {
    mkdirSync(dirname(join(folder, film)), { recursive: true });
    writeFileSync(join(folder, film), "film");
  }
  for (const [name, text] of Object.entries(notes)) writeFileSync(join(folder, name), text);
});

describe("matching films by their names", () => {
  const found = new Map<string, { text: string; reasons: string }>();
  beforeAll(async () => {
    const outcome = await playback.proposeSources(folder);
    if (!outcome.ok) throw new Error(outcome.message);
    for (const { path, match, episode, state, reasons } of outcome.value.proposals)
      found.set(path, {
        text: [match?.malId ?? "", episode ?? "", state].join(" | "),
        reasons: reasons.join("; "),
      });
  });

  test.each(expected)("%s is %s", (path, text, reason = /^$/) => {
    expect(found.get(path)?.text).toBe(text);
    expect(found.get(path)?.reasons).toMatch(reason);
  });
});
