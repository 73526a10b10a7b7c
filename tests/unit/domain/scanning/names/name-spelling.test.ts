import { describe, expect, test } from "vitest";
import { heldIn, isSameName } from "#app/domain/scanning/names/name-spelling.server.ts";

describe("isSameName", () => {
  test.each([
    ["Boku Ha Tomodachi Ga Sukunai", "Boku wa Tomodachi ga Sukunai"],
    ["Sono Bisque Doll wa Koi o Suru", "Sono Bisque Doll wa Koi wo Suru"],
    ["Seirei Tsukai no Blade Dance", "Seireitsukai no Blade Dance"],
    ["The Book of Stories", "Book of Stories"],
    ["Tegami Bachi Reverse - Letter Bee", "Tegami Bachi: Letter Bee Reverse"],
    ["Norn9 - Norn + Nonetto", "Norn 9 Norun+Nonetto"],
    ["Magical Adventrues", "Magical Adventures"],
    ["Show Movie 02", "Show Movie 2"],
    ["Constructor ha Robot", "Constructor wa Robot"],
  ])("%s is %s", (one, other) => {
    expect(isSameName(one, other)).toBe(true);
    expect(isSameName(other, one)).toBe(true);
  });

  test.each([
    ["Toaru Kagaku no Railgun S", "Toaru Kagaku no Railgun"],
    ["Natsume Yuujinchou Shi", "Natsume Yuujinchou"],
    ["Tokyo Ghoul re", "Tokyo Ghoul"],
    ["Psycho-Pass 2", "Psycho-Pass 3"],
    ["Psycho-Pass 2", "Psycho-Pass"],
    ["Sword Art Online II", "Sword Art Online III"],
    ["Saiyuki Reload", "Saiyuki Reload Blast"],
    ["Minami-ke Okaeri", "Minami-ke Okawari"],
    ["Aria", "Arie"],
    ["", ""],
  ])("%s is not %s", (one, other) => {
    expect(isSameName(one, other)).toBe(false);
    expect(isSameName(other, one)).toBe(false);
  });
});

describe("heldIn", () => {
  test.each([
    ["Mary Bell", "Hana no Mahoutsukai Mary Bell", "end"],
    ["Space Battleship Yamato 2199", "Star Blazers: Space Battleship Yamato 2199", "end"],
    ["Natsume Yuujinchou", "Zoku Natsume Yuujinchou", "end of a sequel"],
    ["Sayonara no Tsubasa", "Macross F Movie 2: Sayonara no Tsubasa", "end of a sequel"],
    ["Code Geass R2", "Code Geass: Hangyaku no Lelouch R2", "both ends"],
    ["Show OVA", "Show: Another Story OVA", "elsewhere"],
    ["Show 2", "Show 3: Part 2", "elsewhere"],
    ["Tokyo Ghoul", "Tokyo Ghoul:re", "beginning"],
    ["Crayon Shin-Chan Movie 2", "Crayon Shin-chan Movie 02: Buriburi Oukoku", "movie"],
    ["Akira", "Kaze no Akira", "elsewhere"],
    ["Show", "Show", null],
    ["Show R2", "Show R", null],
  ])("%s in %s: %s", (name, longer, expected) => {
    expect(heldIn(name, longer)).toBe(expected);
  });
});
