import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { bytesOf } from "#tests/support/requests/response-data.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

/** Posters of this site whose URLs a client gives to the image proxy and to the video proxy. */

export const title = 6;

export const addTitle = () =>
  db.insert(titles).values([{ malId: title, title: "Lantern Street", titleKey: "lantern street" }]);

export const image = (path: string, query: string) =>
  request(`/api/proxy?${query}&url=${encodeURIComponent(origin + path)}`);
export const video = (path: string, init: RequestInit = {}) =>
  request(`/api/videoProxy?url=${encodeURIComponent(origin + path)}`, init);

export function testPostersThroughProxies(paths: readonly string[]) {
  describe.each(paths)("%s", (path) => {
    test("the image proxy and the video proxy send it both before and after it is cached", async () => {
      const fresh = await image(path, "w=61");
      expect([fresh.status, fresh.headers.get("content-type")]).toEqual([200, "image/webp"]);
      expect(await sharp(await bytesOf(fresh)).metadata()).toMatchObject({ width: 61 });

      const direct = await request(path);
      const poster = await bytesOf(direct);
      const { width = 0 } = await sharp(poster).metadata();
      for (const w of [0, 1, 40, width - 1, width, 4096]) {
        const kept = await image(path, `w=${w}`);
        expect([w, kept.status]).toEqual([w, 200]);
        const expected = w === 0 || w > width ? width : w;
        expect(await sharp(await bytesOf(kept)).metadata()).toMatchObject({ width: expected });
      }
      expect((await image(path, "w=60&format=avif")).status).toBe(200);

      const proxied = await video(path);
      expect(proxied.status).toBe(200);
      expect((await bytesOf(proxied)).equals(poster)).toBe(true);
    });
  });
}
