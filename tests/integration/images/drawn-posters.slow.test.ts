import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { changeCatalog } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { storedImagePath } = await import("#app/paths.ts");
const { createCatalogPicture } = await import("#app/domain/images/images.server.ts");
const { titleRecords, titles } = await import("#db/schema/catalog.ts");
const { franchises, franchiseTitles } = await import("#db/schema/franchises.ts");

const red = await sharp({ create: { width: 800, height: 1100, channels: 3, background: "#c01020" } })
  .jpeg()
  .toBuffer();
let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const upstream = await startUpstream(async (received, response) => {
  if (received.url === "/red.jpg") return response.writeHead(200, { "content-type": "image/jpeg" }).end(red);
  if (received.url === "/slow.jpg") {
    await released;
    return response.end(red);
  }
  return response.writeHead(received.url === "/gone.jpg" ? 410 : 500).end("no");
});

beforeAll(async () => {
  const title = (malId: number, name: string, picture: string | null) => ({
    malId,
    title: name,
    titleKey: name.toLowerCase(),
    type: "TV" as const,
    year: 1998,
    imageWebp: picture,
  });
  await db
    .insert(titles)
    .values([
      title(1, "Cowboy Bebop", null),
      title(2, "With a picture", `${upstream.origin}/red.jpg`),
      title(3, "Broken picture", `${upstream.origin}/broken.jpg`),
      title(4, "Slow picture", `${upstream.origin}/slow.jpg`),
      title(5, "Picture nobody may fetch", "http://10.0.0.1/x.jpg"),
      title(6, "Picture of itself", "/poster/6.webp"),
      title(7, "Picture on our own address", "/poster/1.webp"),
      title(16, "Lost picture with details", `${upstream.origin}/gone.jpg`),
      ...Array.from({ length: 15 }, (_, at) => title(100 + at, `Lost ${at}`, `http://127.0.0.1:1/${at}.jpg`)),
    ]);
});

const lifetime = (response: Response) =>
  /max-age=(\d+)/.exec(response.headers.get("Cache-Control") ?? "")?.[1];

async function picture(response: Response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { width, height, format } = await sharp(bytes).metadata();
  const { dominant } = await sharp(bytes).stats();
  return { bytes, width, height, format, isRed: dominant.r > 150 && dominant.g < 60 };
}

describe("the poster of a title without a picture", () => {
  test("is drawn in the ratio 7 to 10, and is the same at every request", async () => {
    const first = await request("/poster/1.webp?w=320");
    expect(first.status).toBe(200);
    expect(first.headers.get("Content-Type")).toBe("image/webp");
    expect(lifetime(first)).toBe("86400");
    const drawn = await picture(first);
    expect(drawn).toMatchObject({ width: 320, height: 457, format: "webp" });
    expect(first.headers.get("Content-Length")).toBe(String(drawn.bytes.length));
    const again = await request("/poster/1.webp?w=300&x=1");
    expect((await picture(again)).bytes.equals(drawn.bytes)).toBe(true);
    const notModified = await request("/poster/1.webp?w=320", {
      headers: { "If-None-Match": first.headers.get("ETag") ?? "" },
    });
    expect(notModified.status).toBe(304);
  });

  test("has a width within the limits, whatever w says", async () => {
    for (const [w, width] of [
      ["1", 80],
      ["99999", 1200],
      ["-5", 80],
      ["many", 400],
    ] as const)
      expect((await picture(await request(`/poster/1.webp?w=${w}`))).width).toBe(width);
  });

  test("gets 404 if the title does not exist", async () => {
    expect((await request("/poster/999.webp")).status).toBe(404);
    expect((await request("/poster/x.webp")).status).toBe(404);
    expect((await request("/poster/99999999999999.webp")).status).toBe(404);
  });
});

test("parts of a franchise get one look, and a poster that was cached before is drawn anew", async () => {
  const parts = [301, 302];
  await db.insert(titles).values(
    parts.map((malId) => ({
      malId,
      title: "Part",
      titleKey: "part",
      genres: malId === 301 ? ["Sports"] : [],
    })),
  );
  const tagOf = async (malId: number) => (await request(`/poster/${malId}.webp?w=80`)).headers.get("ETag");
  const before = await Promise.all(parts.map(tagOf));
  await changeCatalog([], async (transaction) => {
    await transaction.insert(franchises).values({ id: 90 });
    await transaction.insert(franchiseTitles).values(
      parts.map((malId, index) => ({
        malId,
        franchiseId: 90,
        released: index + 1,
        story: index + 1,
        mark: "main" as const,
      })),
    );
  });
  const after = await Promise.all(parts.map(tagOf));
  expect(new Set([...before, ...after]).size).toBe(4);
  expect(await Promise.all(parts.map(tagOf))).toEqual(after);
});

describe("the poster of a title with a picture", () => {
  test("is that picture in the requested width", async () => {
    const ask = () => request("/poster/2.webp?w=160");
    expect((await ask()).headers.get("Access-Control-Allow-Origin")).toBe("*");
    // On a busy machine, fetching the picture can take longer than the route waits, and the route then draws a poster.
    await expect.poll(async () => picture(await ask())).toMatchObject({ width: 160, isRed: true });
  });

  test("is drawn for ten minutes if the picture cannot be fetched, without a second fetch", async () => {
    const before = upstream.requests.length;
    for (const w of [160, 240]) {
      const ask = () => request(`/poster/3.webp?w=${w}`);
      // On a busy machine, the failure can come after the route has stopped waiting for the picture.
      await expect.poll(async () => lifetime(await ask())).toBe("600");
      expect(await picture(await ask())).toMatchObject({ width: w, isRed: false });
    }
    expect(upstream.requests.length - before).toBe(1);
    expect(lifetime(await request("/poster/5.webp"))).toBe("600");
  });

  test("is the cover of its details for ten minutes if the picture cannot be fetched", async () => {
    const stored = await createCatalogPicture(red, { shape: "title-picture", client: "details" });
    if (!stored.ok) throw new Error(stored.message);
    await db.insert(titleRecords).values({
      malId: 16,
      source: "anilist",
      fields: { imageUrl: storedImagePath(stored.value) },
      seenAt: new Date(),
    });
    const ask = () => request("/poster/16.webp?w=160");
    await expect.poll(async () => picture(await ask())).toMatchObject({ width: 160, isRed: true });
    expect(lifetime(await ask())).toBe("600");
  });

  test("is drawn while the picture is slow, and shows the picture once it has arrived", async () => {
    const first = await request("/poster/4.webp?w=160");
    expect(await picture(first)).toMatchObject({ isRed: false });
    release();
    await expect
      .poll(async () => (await picture(await request("/poster/4.webp?w=160&again=1"))).isRed)
      .toBe(true);
  });

  test("is drawn if the host does not answer, and after three failures the host is not asked for a while", async () => {
    for (let id = 100; id < 103; id++) expect((await request(`/poster/${id}.webp?w=80`)).status).toBe(200);
    const fetched = upstream.requests.length;
    for (let id = 103; id < 115; id++) expect((await request(`/poster/${id}.webp?w=80`)).status).toBe(200);
    expect(upstream.requests.length).toBe(fetched);
  });

  test("gets 200 if the picture is one of our posters, also if it is the same one", async () => {
    expect((await request("/poster/6.webp?w=160")).status).toBe(200);
    expect((await request("/poster/7.webp?w=160")).status).toBe(200);
  });
});

test("a mature title's poster shows more only to a visitor without parental control, and no cache may store it", async () => {
  const malId = 20_000_001;
  await db.insert(titles).values({ malId, title: "Hidden", titleKey: "hidden", rating: "rx" });
  const ask = (cookie: string) => request(`/poster/${malId}.webp?w=160`, { headers: { Cookie: cookie } });
  const nameless = await ask("");
  const named = await ask("visitor=parental_control=false");
  const again = await ask("visitor=");
  for (const answer of [nameless, named, again])
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "private, no-store"]);
  const bytes = await Promise.all(
    [nameless, named, again].map(async (one) => Buffer.from(await one.arrayBuffer())),
  );
  expect(bytes[0]?.equals(bytes[2] as Buffer)).toBe(true);
  expect(bytes[0]?.equals(bytes[1] as Buffer)).toBe(false);
});

test("a drawn poster shows the English name that its page asks for, and a picture ignores it", async () => {
  const named = {
    malId: 8,
    title: "Sen to Chihiro",
    titleEnglish: "Spirited Away",
    titleKey: "sen to chihiro",
  };
  const broken = { ...named, malId: 10, imageWebp: `${upstream.origin}/broken-too.jpg` };
  await db.insert(titles).values([named, { ...named, malId: 9, titleEnglish: null }, broken]);
  const drawn = async (path: string) => (await picture(await request(path))).bytes;
  expect(await drawn("/poster/8.webp?w=320&lang=en")).not.toEqual(await drawn("/poster/8.webp?w=320"));
  expect(await drawn("/poster/8.webp?w=320&lang=klingon")).toEqual(await drawn("/poster/8.webp?w=320"));
  expect(await drawn("/poster/9.webp?w=320&lang=en")).toEqual(await drawn("/poster/9.webp?w=320"));
  expect((await picture(await request("/poster/2.webp?w=320&lang=en"))).isRed).toBe(true);

  // No page knows yet that this picture fails, so its address names no language.
  const inEnglish = await request("/poster/10.webp?w=320", { headers: { "Accept-Language": "en" } });
  expect(inEnglish.headers.get("Cache-Control")).toBe("private, no-store");
  expect((await picture(inEnglish)).bytes).toEqual(await drawn("/poster/10.webp?w=320&lang=en"));
  expect(await drawn("/poster/10.webp?w=320")).not.toEqual(await drawn("/poster/10.webp?w=320&lang=en"));
});
