import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FilmReading, readFilmName } from "#app/domain/scanning/names/film-name.ts";

const read = (path: string) => {
  const [likeliest] = readFilmName(path).readings;
  return [likeliest?.title, likeliest?.season, likeliest?.first];
};

describe("readFilmName", () => {
  test.each<[string, string, number | null, number | null]>([
    ["[Group] Cowboy Bebop - 05 (1080p) [ABCD1234].mkv", "Cowboy Bebop", null, 5],
    ["[Group] Cowboy Bebop - 05v2 [720p].mkv", "Cowboy Bebop", null, 5],
    ["Cowboy.Bebop.S01E05.1080p.BluRay.x264-GROUP.mkv", "Cowboy Bebop", 1, 5],
    ["Cowboy_Bebop_05.mp4", "Cowboy Bebop", null, 5],
    ["cowboy bebop 1x05.mp4", "cowboy bebop", 1, 5],
    ["Cowboy Bebop Episode 5.mp4", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop Ep.05 - Ballad.mp4", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop E05.webm", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop #5.webm", "Cowboy Bebop", null, 5],
    ["カウボーイビバップ 第05話.mp4", "カウボーイビバップ", null, 5],
    ["Cowboy Bebop/05.mp4", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop/05 - Ballad of Fallen Angels.mp4", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop/5. Ballad.mp4", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop (1998)/Season 1/05.mp4", "Cowboy Bebop", 1, 5],
    ["Cowboy Bebop/S1/E05.mp4", "Cowboy Bebop", 1, 5],
    ["Cowboy Bebop/05/master.m3u8", "Cowboy Bebop", null, 5],
    ["Cowboy Bebop/Specials/01.mp4", "Cowboy Bebop", 0, 1],
    ["Cowboy Bebop/Disc 2/12.mp4", "Cowboy Bebop", null, 12],
    ["Mob Psycho 100 - 03.mkv", "Mob Psycho 100", null, 3],
    ["Mob Psycho 100 S2 - 03.mkv", "Mob Psycho 100", 2, 3],
    ["Attack on Titan Season 3 - 12 [1080p].mkv", "Attack on Titan", 3, 12],
    ["Attack on Titan Season 2/S02E01.mkv", "Attack on Titan", 2, 1],
    ["Attack on Titan 2nd Season - 04.mkv", "Attack on Titan", 2, 4],
    ["One Piece - 1071.mkv", "One Piece", null, 1071],
    ["Akira (1988) [1080p].mkv", "Akira", null, null],
    ["Akira/film.mp4", "Akira", null, null],
    ["Steins;Gate 0 - 01.mp4", "Steins;Gate 0", null, 1],
    ["Bocchi the Rock! - 08 - Bocchi the Rock.mp4", "Bocchi the Rock!", null, 8],
    ["Show - 05.5 [1080p].mkv", "Show", null, null],
    ["3-gatsu no Lion - 07.mp4", "3-gatsu no Lion", null, 7],
    ["3-gatsu no Lion/3-gatsu no Lion 05.mkv", "3-gatsu no Lion", null, 5],
    ["07-Ghost/07-Ghost 05.mkv", "07-Ghost", null, 5],
    ["7 Seeds (2019)/Season 1/7 Seeds 05 [1080p].mkv", "7 Seeds", 1, 5],
    ["Cowboy Bebop/05 Ballad.mkv", "Cowboy Bebop", null, 5],
    ["Show 2 - 06 (BD 720p).mkv", "Show 2", null, 6],
    ["Show - Session 11.mkv", "Show - Session", null, 11],
    ["Show S2 - 13 END [1080p].mkv", "Show", 2, 13],
    ["Show - 100 Years - 09.mkv", "Show - 100 Years", null, 9],
    ["Show - 05 - Ten Years - Later.mkv", "Show", null, 5],
    ["Show/Disc 1/title_t01.mkv", "Show", null, null],
  ])("%s is read as %s, season %s, episode %s", (path, title, season, episode) => {
    expect(read(path)).toEqual([title, season, episode]);
  });

  test("a number at the beginning can belong to a title that is not the folder's", () => {
    const { readings } = readFilmName("March Comes in Like a Lion/3-gatsu no Lion 05.mkv");
    expect(readings).toContainEqual(
      expect.objectContaining({ title: "3-gatsu no Lion", first: 5, isShort: false }),
    );
    expect(readings[0]).toMatchObject({ first: 3, isShort: true });
    expect(readFilmName("Show/05 - Area 51.mkv").readings[0]).toMatchObject({ first: 5, isShort: false });
  });

  test("years, subtitle languages and extras are recognized", () => {
    expect(readFilmName("Akira (1988).mkv").year).toBe(1988);
    expect(readFilmName("Cowboy Bebop/05.pt-BR.vtt").language).toBe("pt-BR");
    expect(readFilmName("Cowboy Bebop/05.vtt").language).toBeNull();
    for (const path of [
      "Show - NCOP1.mkv",
      "Show - NCED02v2.mkv",
      "Show - PV 3.mkv",
      "Show - Menu.mkv",
      "Show Vol.03 - Making of the Song (BD).mkv",
      "Show - Clean Opening.mkv",
      "Show/Extras/01.mp4",
      "Show trailer.mp4",
      "[VCB-Studio] Show [CM][Ma10p_1080p][x265_flac].mkv",
      "[VCB-Studio] Show [IV][Ma10p_1080p][x265_flac].mkv",
      "[VCB-Studio] Show 100 [CM Collection][Ma10p_1080p].mkv",
      "[VCB-Studio] Show [Event][Ma10p_1080p][x265_flac].mkv",
      "[VCB-Studio] Show [Talk Show][Ma10p_1080p][x265_flac].mkv",
      "Show/sample.mkv",
    ])
      expect(readFilmName(path).isExtra, path).toBe(true);
    expect(readFilmName("Show - NCOP1.mkv").readings[0]).toMatchObject({ title: "Show", first: null });
    for (const path of [
      "Show - 01.mp4",
      "[MV] Show [1080p].mkv",
      "[Group] Show [IV] [05].mkv",
      "Show (Event).mkv",
    ])
      expect(readFilmName(path).isExtra, path).toBe(false);
  });

  test.each<[string, number | null, number | null]>([
    ["Bleach - 005 - pt1 - Name.mkv", 5, 1],
    ["Bleach - 005 - pt2 - Name.mkv", 5, 2],
    ["Show - 05 [1of2].mkv", 5, 1],
    ["Show - S01E05 (2 of 2).mkv", 5, 2],
    ["Show (2001) [1of2].mkv", null, 1],
    ["Show_TV_[2_of_6]_[HDTV].avi", 2, null],
    ["Show - 05 - Part 1 - Name.mkv", 5, null],
  ])("%s has the number %s and the piece %s", (path, first, piece) => {
    const name = readFilmName(path);
    expect([name.readings[0]?.first, name.piece]).toEqual([first, piece]);
  });

  test("the name of an episode can end in the word for an extra", () => {
    for (const path of [
      "Show - S01E07 - The Interview WEBDL-1080p.mkv",
      "Show - S01E07 - Special Menu.mkv",
      "[Group] Show - 07 - The Trailer [1080p].mkv",
      "Show - 1x07 - The Making of a Hero.mkv",
    ])
      expect([readFilmName(path).isExtra, readFilmName(path).readings[0]?.first], path).toEqual([false, 7]);
    for (const path of [
      "Show - S01E07 - Trailer.mkv",
      "Show - 07 - Menu 2.mkv",
      "Show - 07 - Staff Commentary.mkv",
      "Show - 07 - Group NCOP1.mkv",
    ])
      expect(readFilmName(path).isExtra, path).toBe(true);
  });

  test.each<[string, Partial<FilmReading>]>([
    ["[Group]_Show_Name_13-15_[BD_1080p].mkv", { title: "Show Name", first: 13, last: 15 }],
    ["[Group] Show Name - 01+02 [720p].mkv", { title: "Show Name", first: 1, last: 2 }],
    ["Show Name ep. 1-5.mkv", { title: "Show Name", first: 1, last: 5 }],
    ["[Group] Show Name - (01-04) [1080p].mkv", { title: "Show Name", first: 1, last: 4 }],
    ["[Group] Show Name (9).mkv", { title: "Show Name", first: 9 }],
    ["Show_Name_TV_[20_of_25]_[HDTV].avi", { title: "Show Name TV", first: 20 }],
    ["[Group][番組][Show Name][11][1280x720].mp4", { title: "番組", first: 11 }],
    ["番組 第2期 01話.mkv", { title: "番組", season: 2, first: 1 }],
    ["Show Name Second Season - 03.mkv", { title: "Show Name", season: 2, first: 3 }],
    ["05 - Show Name - The Fifth Day - [Group].mkv", { title: "Show Name", first: 5 }],
    ["[Group] Show Name - SP01 [BD].mkv", { title: "Show Name", first: 1, special: "SP" }],
    ["[Group] Show Name - Vol.1v2 (BD, 720p).mkv", { title: "Show Name", first: null, isOther: true }],
    ["[Group] Show Name - 111C [1080p].mkv", { title: "Show Name", first: null, isOther: true }],
    ["Show Name (DVD) - 02 [group].mkv", { title: "Show Name", first: 2 }],
    ["Show_Name_(2004)_[1080p,BluRay,x264]_-_GROUP v2.mkv", { title: "Show Name", first: null }],
    ["[Group] Show Name S2 Part 2 - 03.mkv", { title: "Show Name", season: 2, part: 2, first: 3 }],
    ["Show Name 2nd Season 2nd Cour - 03.mkv", { title: "Show Name", season: 2, part: 2, first: 3 }],
    ["Show Name Part 2/03.mkv", { title: "Show Name", part: 2, first: 3 }],
    ["Show Name/Season 2/Part 2/03.mkv", { title: "Show Name", season: 2, part: 2, first: 3 }],
    ["Show Name Part 2/Show Name - 03.mkv", { title: "Show Name", part: 2, first: 3 }],
    ["Show Name Part II - 03.mkv", { title: "Show Name", season: null, part: 2, first: 3 }],
    ["Show.Name.S01E05E06.1080p.mkv", { title: "Show Name", season: 1, first: 5, last: 6 }],
    ["Show.Name.S01E05-E06.mkv", { title: "Show Name", season: 1, first: 5, last: 6 }],
    ["Show Name - 01 - 12.mkv", { title: "Show Name", first: 1, last: 12 }],
    ["Show Name - 01-64 [batch].mkv", { first: null }],
    ["The.Show.Name.08.A.Story.720p.BluRay.x264-GROUP.mkv", { title: "The Show Name", first: 8 }],
  ])("%s is read as %o", (path, expected) => {
    expect(readFilmName(path).readings[0]).toMatchObject(expected);
  });

  test("words in round brackets may belong to the title, so both readings are kept", () => {
    const { readings } = readFilmName("[Group] Show (Reverse) - Letters - 29 (04).mkv");
    expect(readings[0]).toMatchObject({ title: "Show Reverse - Letters", first: 29, isShort: false });
    expect(readings).toContainEqual(
      expect.objectContaining({ title: "Show - Letters", first: 29, isShort: true }),
    );
    expect(readings.map(({ first }) => first)).toContain(4);
  });

  test("common file names yield title, season and episode", () => {
    const title = fc
      .array(fc.stringMatching(/^[A-Z][a-z]{3,8}$/), { minLength: 1, maxLength: 3 })
      .map((words) => words.join(" "))
      .filter(
        (text) => !/season|series|episode|ep|batch|complete|uncut|opus|remux|proper|repack/i.test(text),
      );
    const two = (number: number) => String(number).padStart(2, "0");
    const ways: ((title: string, season: number, episode: number) => string)[] = [
      (name, season, episode) => `${name} S${two(season)}E${two(episode)}.mkv`,
      (name, season, episode) =>
        `${name.replaceAll(" ", ".")}.S${two(season)}E${two(episode)}.720p.WEB-DL.mkv`,
      (name, season, episode) => `${name}/Season ${season}/${two(episode)}.mp4`,
      (name, season, episode) => `[Some Group] ${name} S${season} - ${two(episode)} [1080p][0A1B2C3D].mkv`,
      (name, season, episode) => `${name}/Season ${season}/${name} - ${season}x${two(episode)}.mp4`,
    ];
    const number = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(title, number, number, fc.constantFrom(...ways), (name, season, episode, way) => {
        expect(read(way(name, season, episode))).toEqual([name, season, episode]);
      }),
    );
  });

  test("a number at the end that may be a year is read in both ways", () => {
    const { readings } = readFilmName("Wolf.Story.2012.1080p.BluRay.mkv");
    expect(readings).toContainEqual(
      expect.objectContaining({ title: "Wolf Story", first: null, year: 2012 }),
    );
    expect(readings[0]).toMatchObject({ title: "Wolf Story 2012", first: null });
    expect(readings).toContainEqual(
      expect.objectContaining({ title: "Wolf Story", first: 2012, year: null }),
    );
    expect(readFilmName("Show - 1999.mkv").readings.map(({ year }) => year)).not.toContain(1999);
    expect(readFilmName("[Group] Show Movie 2 [DivX] 1994 [852x480].avi").year).toBe(1994);
  });

  test("every name can be read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (path) => {
        for (const { title } of readFilmName(path).readings) expect(title).not.toBe("");
      }),
    );
    const texts = ["- ".repeat(5000), "(".repeat(10_000), "1 ".repeat(5000), "e".repeat(10_000)];
    for (const text of texts) expect(readFilmName(`${text}.mp4`)).toHaveProperty("readings");
  });

  test.each([
    ["dots", `Show ${".".repeat(200)}x`],
    ["dots after a letter", `Show${".".repeat(200)} [1080p]!`],
    ["dots behind a bracket", `[${".".repeat(100)}!] (${".".repeat(100)}!) 05`],
    ["digits after an extra", `Show trailer${"1".repeat(200)}!`],
    ["digits after an opening", `Show - OP ${"1".repeat(200)}!`],
    ["dots and digits", `Show - 01 - PV${"1".repeat(100)}${".".repeat(100)}!`],
  ])("a hostile name of many %s is read to its end", (_, name) => {
    expect(readFilmName(`${name}.mkv`).readings).not.toEqual([]);
    expect(readFilmName(`${name}/05.mkv`).readings[0]).toMatchObject({ first: 5 });
  });

  test("rows of dots and digits are read as short ones are", () => {
    expect(read("Show....mkv")).toEqual(read("Show.mkv"));
    expect(readFilmName("Show - NCOP12v2.mkv")).toMatchObject({ isExtra: true });
    expect(readFilmName("Show trailer 01_02b.mkv")).toMatchObject({ isExtra: true });
  });
});
