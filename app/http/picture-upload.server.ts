import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { kibibytes, mebibytes } from "../platform/byte-size.ts";
import { fail } from "./error-response.server.ts";
import { readLargeField } from "./large-json-field.ts";
import { BadPictureText, type PictureText, pictureTextReader } from "./picture-text.ts";
import { openForm, unreadableForm, unstorableText } from "./request-body.server.ts";

/** The body of an upload, in any of its forms, decoded as it comes: only the picture's own bytes are held. */

export type PictureUpload = { picture: PictureText; filename: string | undefined; isBanner: boolean };
type Admit = (bytes: number) => boolean;

const bodyLimit = mebibytes(64);
const restLimit = kibibytes(64);

const fields = z.object({
  filename: z.string().min(1).max(255).optional(),
  isBanner: z
    .union([
      z.boolean(),
      z.enum(["true", "false", "1", "0", ""]).transform((text) => text === "true" || text === "1"),
    ])
    .default(false),
});

export async function readPictureUpload(request: Request, admit: Admit): Promise<PictureUpload> {
  if (Number(request.headers.get("Content-Length")) > bodyLimit) throw tooLarge();
  const type = request.headers.get("Content-Type") ?? "";
  try {
    if (/^multipart\/form-data|^application\/x-www-form-urlencoded/i.test(type))
      return await readForm(request, type, admit);
    if (type === "" || /^application\/([\w.-]+\+)?json\b/i.test(type)) return await readJson(request, admit);
  } catch (error) {
    if (error instanceof BadPictureText) throw fail("invalid", error.message);
    throw error;
  }
  throw fail("unsupported", "Send application/json or multipart/form-data");
}

const tooLarge = () => fail("too_large", "An upload may take at most 64 MiB");
const noPicture = () =>
  fail("invalid", "Send the picture as `image`: base64, a data: URL, an address, or a file");

/** The body, cut off at its limit whatever length it announced. */
async function* limited(request: Request): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > bodyLimit) throw tooLarge();
    yield chunk;
  }
}

async function readJson(request: Request, admit: Admit): Promise<PictureUpload> {
  const reader = pictureTextReader(admit);
  let isThere = false;
  const onPiece = (piece: string) => {
    isThere = true;
    if (!reader.push(piece)) throw fail("overloaded");
  };
  let rest: unknown;
  try {
    rest = await readLargeField(limited(request), { name: "image", restLimit, onPiece });
  } catch (error) {
    throw error instanceof SyntaxError ? fail("invalid", "The body is not valid JSON") : error;
  }
  if (!isThere) throw noPicture();
  return withPicture(reader.finish(), rest);
}

function withPicture(picture: PictureText | null, rest: unknown): PictureUpload {
  if (!picture) throw fail("overloaded");
  const parsed = fields.safeParse(rest);
  const issues = unstorableText(rest);
  if (!parsed.success || issues.length > 0)
    throw fail("invalid", "filename must be a text, isBanner true or false", issues);
  return { picture, filename: parsed.data.filename, isBanner: parsed.data.isBanner };
}

async function readForm(request: Request, type: string, admit: Admit): Promise<PictureUpload> {
  const texts: Record<string, string> = {};
  const chunks: Buffer[] = [];
  let fileName: string | undefined;
  let trouble: unknown;
  const parser = openForm(type, {
    files: 1,
    fields: 10,
    parts: 20,
    fieldSize: bodyLimit,
    fieldNameSize: 100,
  });
  parser.on("field", (name, value) => {
    texts[name] ??= value;
  });
  parser.on("file", (name, stream, filename) => {
    // A form that ends too early fails here as well; unheard, that would end the process.
    stream.on("error", () => {});
    if (name !== "image") return stream.resume();
    fileName = filename;
    return stream.on("data", (chunk: Buffer) => {
      if (admit(chunk.length)) chunks.push(chunk);
      else trouble ??= fail("overloaded");
    });
  });
  await pipeline(Readable.from(limited(request)), parser).catch((error) => {
    trouble ??= error instanceof Response ? error : unreadableForm();
  });
  if (trouble) throw trouble;
  const { image, ...rest } = texts;
  if (fileName === undefined && !image) throw noPicture();
  const reader = pictureTextReader(admit);
  if (image && !reader.push(image)) throw fail("overloaded");
  const picture = fileName === undefined ? reader.finish() : { bytes: Buffer.concat(chunks) };
  return withPicture(picture, { filename: fileName || undefined, ...rest });
}
