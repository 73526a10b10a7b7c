import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLargeJsonField } from "#app/http/endpoint/large-json-field.ts";
import { BadPictureText, PictureTextReader } from "#app/wire/picture-text.ts";
import { readPictureUpload } from "#app/wire/picture-upload.server.ts";

/** The bytes in pieces that end at the given positions. */
async function* pieces(bytes: Buffer, cuts: number[]) {
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe("readLargeJsonField", () => {
  async function read(text: string, cuts: number[] = []) {
    let image = "";
    const onPiece = (piece: string) => {
      image += piece;
    };
    const rest = await readLargeJsonField(pieces(Buffer.from(text), cuts), {
      name: "image",
      restLimit: 10_000,
      onPiece,
    });
    return { image, rest };
  }

  test("JSON cut into pieces anywhere gives the same as JSON.parse", async () => {
    const text = fc.string({ unit: "grapheme" });
    const value = fc.oneof(
      text,
      fc.boolean(),
      fc.array(text),
      fc.dictionary(text, text),
      fc.record({ image: text }),
    );
    const others = fc.dictionary(
      text.filter((name) => name !== "image" && name !== "__proto__"),
      value,
      { maxKeys: 4 },
    );
    await fc.assert(
      fc.asyncProperty(
        others,
        others,
        text,
        fc.array(fc.nat()),
        fc.boolean(),
        async (before, after, image, cuts, spaced) => {
          const object = { ...before, image, ...after };
          const found = await read(JSON.stringify(object, null, spaced ? 2 : 0), cuts);
          expect(found.image).toBe(image);
          expect(found.rest).toEqual({ ...object, image: "" });
        },
      ),
    );
  });

  test("escapes in the large text and in names are decoded", async () => {
    const found = await read('{"im\\u0061ge":"\\/9j\\n\\u003d","x":{"image":"inner"}}', [21, 22, 23, 24, 26]);
    expect(found).toEqual({ image: "/9j\n=", rest: { image: "", x: { image: "inner" } } });
  });

  test("a text of escapes is passed on in one piece for each chunk", async () => {
    async function* body() {
      yield Buffer.from('{"image":"');
      for (let chunk = 0; chunk < 3; chunk++) yield Buffer.from("\\/".repeat(1000));
      yield Buffer.from('"}');
    }
    const pieceLengths: number[] = [];
    const onPiece = (piece: string) => pieceLengths.push(piece.length);
    await readLargeJsonField(body(), { name: "image", restLimit: 10_000, onPiece });
    expect(pieceLengths).toEqual([1000, 1000, 1000]);
  });

  test("an empty body is undefined", async () => {
    expect(await read("")).toEqual({ image: "", rest: undefined });
  });

  test.each(["{", '{"image":"abc', '{"image":"a\\', "[1,2", '{"image":"\\x"}', '{"image" "a"}'])(
    "%j throws a SyntaxError",
    async (text) => expect(read(text)).rejects.toThrow(SyntaxError),
  );

  test("other fields over their limit throw a SyntaxError", async () => {
    await expect(read(JSON.stringify({ image: "a", b: "b".repeat(20_000) }))).rejects.toThrow(SyntaxError);
  });
});

describe("PictureTextReader", () => {
  function read(text: string[], admit = (_bytes: number) => true) {
    const reader = new PictureTextReader(admit);
    for (const piece of text) if (!reader.push(piece)) return null;
    return reader.finish();
  }

  test("base64 and base64url, with or without padding and line ends, are decoded in any pieces", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2000 }),
        fc.constantFrom("base64", "base64url") as fc.Arbitrary<"base64">,
        fc.constantFrom("", "data:image/png;base64,", "data:image/webp;charset=x;base64,"),
        fc.integer({ min: 1, max: 400 }),
        (bytes, alphabet, prefix, size) => {
          const text = prefix + Buffer.from(bytes).toString(alphabet).replace(/.{76}/g, "$&\r\n");
          const cut = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
          expect(read(cut)).toEqual({ bytes: Buffer.from(bytes) });
        },
      ),
    );
  });

  test("a data: URL with percent-escapes or plain text is decoded in any pieces", () => {
    const written = fc.array(
      fc.oneof(
        fc.nat(255).map((byte) => ({ text: `%${byte.toString(16).padStart(2, "0")}`, bytes: [byte] })),
        fc
          .string({ unit: "grapheme", maxLength: 4 })
          .filter((text) => !text.includes("%") && text.isWellFormed())
          .map((text) => ({ text, bytes: [...Buffer.from(text)] })),
      ),
    );
    fc.assert(
      fc.property(written, fc.integer({ min: 1, max: 300 }), (parts, size) => {
        const text = `data:image/svg+xml,${parts.map((part) => part.text).join("")}`;
        const cut = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
        expect(read(cut)).toEqual({ bytes: Buffer.from(parts.flatMap((part) => part.bytes)) });
      }),
    );
    expect(read(["data:,100%"])).toEqual({ bytes: Buffer.from("100%") });
  });

  test("a URL is returned as a URL", () => {
    expect(read(["htt", "ps://a.test/", "b.png"])).toEqual({ url: "https://a.test/b.png" });
  });

  test.each(["a*b", "data:image/png", "AAAA=AAAA", `https://a.test/${"a".repeat(9000)}`, "ftp://a.test/"])(
    "%s throws BadPictureText",
    (text) => expect(() => read([text, "", text.slice(0, 300)])).toThrow(BadPictureText),
  );

  test("a million padding signs before a digit throw BadPictureText at once", () => {
    expect(() => read([`${"=".repeat(1_000_000)}A`])).toThrow(BadPictureText);
  });

  test("text over the size that is admitted returns null", () => {
    let room = 300;
    const admit = (bytes: number) => {
      room -= bytes;
      return room >= 0;
    };
    expect(read(Array(50).fill("A".repeat(400)), admit)).toBeNull();
  });
});

describe("readPictureUpload", () => {
  const types = {
    multipart: "multipart/form-data; boundary=x",
    "url-encoded": "application/x-www-form-urlencoded",
  };
  const part = (disposition: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  const picture = Buffer.from("a picture of some bytes");
  const text = picture.toString("base64");

  const upload = (type: string, body: BodyInit, admit = (_bytes: number) => true) =>
    readPictureUpload(
      new Request("http://a.test", {
        method: "POST",
        headers: { "Content-Type": type },
        body,
        duplex: "half",
      } as RequestInit),
      admit,
    );

  test.each([
    ["a text", types.multipart, `${part('name="image"', text)}${part('name="isBanner"', "true")}--x--`],
    ["a text of another type", types["url-encoded"], `image=${encodeURIComponent(text)}&isBanner=true`],
    [
      "the first of two texts",
      types.multipart,
      `${part('name="isBanner"', "1")}${part('name="image"', text)}${part('name="image"', "AAAA")}--x--`,
    ],
    [
      "a file",
      types.multipart,
      `${part('name="isBanner"', "1")}${part('name="image"; filename=""', picture.toString())}--x--`,
    ],
    [
      "a file after an empty text",
      types.multipart,
      `${part('name="image"', "")}${part('name="isBanner"', "1")}${part('name="image"; filename=""', picture.toString())}--x--`,
    ],
  ])("a form with the picture as %s is read", async (_what, type, body) => {
    expect(await upload(type, body)).toEqual({
      picture: { bytes: picture },
      filename: undefined,
      isBanner: true,
    });
  });

  test.each([
    ["no picture", part('name="filename"', "a.png"), 400],
    ["an empty picture", part('name="image"', ""), 400],
    ["a text that is not base64", part('name="image"', "a*b"), 400],
  ])("a form with %s is refused", async (_what, parts, status) => {
    await expect(upload(types.multipart, `${parts}--x--`)).rejects.toMatchObject({ status });
  });

  test("JSON after a byte order mark is read", async () => {
    const json = `\ufeff${JSON.stringify({ image: text, filename: "a.png" })}`;
    expect(await upload("application/json", json)).toMatchObject({
      picture: { bytes: picture },
      filename: "a.png",
    });
  });

  test.each([
    ["", "", "The body is missing"],
    ["{}", "image", "Send the picture as `image`: base64, a data: URL, an address, or a file"],
    ['{"image":"a*b"}', "image", "This is not base64"],
    [`{"image":"${text}","filename":""}`, "filename", "must not be empty"],
    [`{"image":"${text}","isBanner":"perhaps"}`, "isBanner", "must be true or false"],
    [`{"image":"${text}","filename":"a\\u0000"}`, "filename", "contains characters that are no text"],
  ])("the refusal of the JSON %j names the field %j", async (json, path, message) => {
    const refusal = await upload("application/json", json).catch((response: Response) => response.json());
    expect(refusal).toMatchObject({ status: 400, issues: [{ path, message }] });
  });

  test("each character that a form writes as %XX is charged with the memory that it takes", async () => {
    let charged = 0;
    const admit = (bytes: number) => {
      charged += bytes;
      return true;
    };
    await upload(types["url-encoded"], `image=${"%41".repeat(400)}`, admit);
    expect(charged).toBeGreaterThan(400 * 32);
  });

  test.each([
    ["multipart", part('name="image"', "A")],
    ["url-encoded", "image="],
  ] as const)("the text of a picture in a %s form is charged while it arrives", async (kind, start) => {
    let sentBytes = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = Buffer.from(sentBytes === 0 ? start : "A".repeat(10_000));
        sentBytes += chunk.length;
        controller.enqueue(chunk);
      },
    });
    let room = 100_000;
    const admit = (bytes: number) => {
      room -= bytes;
      return room >= 0;
    };
    await expect(upload(types[kind], endless, admit)).rejects.toMatchObject({ status: 503 });
    expect(sentBytes).toBeLessThan(1_000_000);
  });
});
