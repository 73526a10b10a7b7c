import { SaxesParser } from "saxes";

/** Reads the entries of an XML mapping (`<anime anidbid="23" tvdbid="76885">`) from a stream of text. */

type FoundEntry = { where: string; attributes: Record<string, string> } | { where: string; trouble: string };

/** Entries have few and short attributes. A longer tag is not a mapping and could fill the memory. */
const maxOpenTagLength = 20_000;

export const isXml = (head: string): boolean => /^\uFEFF?\s*</.test(head);

export async function* findXmlEntries(chunks: AsyncIterable<string>): AsyncGenerator<FoundEntry> {
  const entries: FoundEntry[] = [];
  let count = 0;
  const parser = entryParser((attributes) => entries.push({ where: `entry ${++count}`, attributes }));
  let sinceTag = 0;
  try {
    for await (const chunk of chunks) {
      const end = chunk.lastIndexOf(">");
      sinceTag = end < 0 ? sinceTag + chunk.length : chunk.length - end;
      if (sinceTag > maxOpenTagLength) throw new Error("a tag is too long");
      parser.write(chunk);
      yield* entries.splice(0);
    }
    parser.close();
    yield* entries.splice(0);
  } catch (error) {
    yield* entries.splice(0);
    yield { where: `after entry ${count}`, trouble: `is not valid XML (${(error as Error).message})` };
  }
}

function entryParser(onEntry: (attributes: Record<string, string>) => void) {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("it has a DOCTYPE");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "anime") onEntry(attributes as Record<string, string>);
  });
  return parser;
}
