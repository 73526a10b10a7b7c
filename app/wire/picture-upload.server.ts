import { z } from "zod";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { readLargeJsonField } from "#app/http/endpoint/large-json-field.ts";
import { parse } from "#app/http/endpoint/operation.server.ts";
import {
  boundedBody,
  createFormParser,
  passToParser,
  refuseEncodedBody,
  runChecksAfterBody,
  unreadableForm,
} from "#app/http/endpoint/request-body.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { BadPictureText, type PictureText, PictureTextReader } from "./picture-text.ts";

/**
 * Reads the body of an upload in each accepted form. JSON and multipart forms are decoded while they are read, so memory
 * holds only the picture's bytes. A form of the other type is held whole, as text, before it is decoded.
 */

type PictureUpload = {
  picture: PictureText;
  filename: string | undefined;
  isBanner: boolean;
};
type Admit = (bytes: number) => boolean;
type Body = AsyncGenerator<Uint8Array>;

const maxBodyBytes = mebibytes(64);
const maxRestBytes = kibibytes(64);

const fields = z.object({
  filename: z.string().min(1).max(255).optional(),
  isBanner: z
    .union(
      [
        z.boolean(),
        z.enum(["true", "false", "1", "0", ""]).transform((text) => text === "true" || text === "1"),
      ],
      "must be true or false",
    )
    .default(false),
});

export async function readPictureUpload(request: Request, admit: Admit): Promise<PictureUpload> {
  const upload = await readUpload(request, admit);
  await runChecksAfterBody(request);
  return upload;
}

async function readUpload(request: Request, admit: Admit): Promise<PictureUpload> {
  refuseEncodedBody(request);
  const body = boundedBody(request, maxBodyBytes, "upload");
  const type = request.headers.get("Content-Type") ?? "";
  try {
    if (/^multipart\/form-data|^application\/x-www-form-urlencoded/i.test(type))
      return await readForm(body, type, admit);
    if (type === "" || /^application\/([\w.-]+\+)?json\b/i.test(type)) return await readJson(body, admit);
  } catch (error) {
    if (error instanceof BadPictureText) throw badPicture(error.message);
    throw error;
  }
  throw fail("unsupported", "Send application/json or multipart/form-data");
}

const badPicture = (message: string) => fail("invalid", message, [{ path: "image", message }]);
const noPicture = () => badPicture("Send the picture as `image`: base64, a data: URL, an address, or a file");

async function readJson(body: Body, admit: Admit): Promise<PictureUpload> {
  const reader = new PictureTextReader(admit);
  let hasImage = false;
  const onPiece = (piece: string) => {
    hasImage = true;
    if (!reader.push(piece)) throw fail("overloaded");
  };
  let rest: unknown;
  try {
    rest = await readLargeJsonField(body, { name: "image", restLimit: maxRestBytes, onPiece });
  } catch (error) {
    throw error instanceof SyntaxError ? fail("invalid", "The body is not valid JSON") : error;
  }
  if (!hasImage && rest !== undefined) throw noPicture();
  return withPicture(reader.finish(), rest);
}

async function withPicture(picture: PictureText | null, rest: unknown): Promise<PictureUpload> {
  if (!picture) throw fail("overloaded");
  const { filename, isBanner } = await parse(fields, rest, "body");
  return { picture, filename, isBanner };
}

async function readForm(body: Body, type: string, admit: Admit): Promise<PictureUpload> {
  const isMultipart = /^multipart/i.test(type);
  const texts: Record<string, string> = {};
  const chunks: Buffer[] = [];
  // A form that is held as text is charged while it arrives, and its picture takes less memory than the text.
  const reader = new PictureTextReader(isMultipart ? admit : () => true);
  let isTextSeen = false;
  let hasText = false;
  let fileName: string | undefined;
  let failure: unknown;
  const parser = createFormParser(
    type,
    {
      files: 2,
      fields: 10,
      parts: 20,
      fieldSize: isMultipart ? maxRestBytes : maxBodyBytes,
      fieldNameSize: 100,
    },
    // The parser holds a text field until it is complete, but passes on a file while it arrives.
    (name, contentType, filename) =>
      name === "image" || filename !== undefined || contentType === "application/octet-stream",
  );
  const stop = (error: unknown) => {
    failure ??= error;
    // The rest of the body is not read; the answer closes the connection.
    parser.destroy(new Error("the picture was refused"));
  };
  const pushText = (piece: string) => {
    hasText = true;
    if (failure) return;
    try {
      if (!reader.push(piece)) stop(fail("overloaded"));
    } catch (error) {
      stop(error);
    }
  };
  parser.on("field", (name, value) => {
    texts[name] ??= value;
  });
  parser.on("file", (name, stream, filename) => {
    // If the form is cut off, the file stream also emits `error`. Without a listener, that would end the process.
    stream.on("error", () => {});
    if (name !== "image" || fileName !== undefined) return stream.resume();
    if (filename === undefined) {
      if (isTextSeen) return stream.resume();
      isTextSeen = true;
      return stream.setEncoding("utf8").on("data", pushText);
    }
    fileName = filename;
    return stream.on("data", (chunk: Buffer) => {
      if (failure) return;
      if (admit(chunk.length)) chunks.push(chunk);
      else stop(fail("overloaded"));
    });
  });
  const source = isMultipart ? body : chargedBody(body, admit);
  await passToParser(source, parser).catch((error) => {
    failure ??= error instanceof Response ? error : unreadableForm();
  });
  const { image, ...rest } = texts;
  if (image) pushText(image);
  if (failure) throw failure;
  if (fileName === undefined && !hasText) throw noPicture();
  const picture = fileName === undefined ? reader.finish() : { bytes: Buffer.concat(chunks) };
  return withPicture(picture, { filename: fileName || undefined, ...rest });
}

/** The memory that the parser of URL-encoded forms needs for each character written as %XX. */
const bytesPerEscape = 32;
const percent = 0x25;

async function* chargedBody(body: Body, admit: Admit): Body {
  for await (const chunk of body) {
    let escapes = 0;
    for (let at = 0; at < chunk.length; at++) if (chunk[at] === percent) escapes += 1;
    if (!admit(chunk.byteLength + escapes * bytesPerEscape)) throw fail("overloaded");
    yield chunk;
  }
}
