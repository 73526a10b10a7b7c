import { openUnnamedFile } from "#app/platform/process/unnamed-file.server.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";

/** A file uploaded by a client, in the form in which an import receives it. */
export async function uploadedFile(content: unknown, client = "192.0.2.1") {
  const bytes = Buffer.from(JSON.stringify(content));
  const file = await openUnnamedFile("uploads");
  atEnd(() => file.close());
  await file.writeFile(bytes);
  return { file, size: bytes.byteLength, turn: { client } };
}
