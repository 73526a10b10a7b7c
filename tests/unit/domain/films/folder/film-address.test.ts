import { expect, test } from "vitest";
import { videoText } from "#app/domain/films/folder/film-address.ts";

test("a video of the media folder is named by its path, and any other by its address", () => {
  expect(videoText("media:Akira/Akira.mkv")).toBe("Akira/Akira.mkv");
  expect(videoText("media:.2/Show/01 [BD].mkv")).toBe("Show/01 [BD].mkv");
  expect(videoText("/media/Show/01%20%5BBD%5D.mkv")).toBe("Show/01 [BD].mkv");
  for (const address of ["https://films.example/media/1.mp4", "/film/1/film.mkv"])
    expect(videoText(address)).toBe(address);
});
