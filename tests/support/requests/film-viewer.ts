import { once } from "node:events";
import { request as sendRequest } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";

/** Requests the parts of packaged films as a player does, without playing them. */

type PartAnswer = { status: number; bytes: Buffer; ms: number };
export type Viewer = ReturnType<typeof filmViewer>;

/** `from` is the client's address. On Linux all of 127.0.0.0/8 is this machine, so each address counts as another client. */
export function filmViewer(origin: string, from = "127.0.0.1") {
  async function ask(path: string, signal?: AbortSignal): Promise<PartAnswer> {
    const startedAt = performance.now();
    const options = { agent: false, localAddress: from, ...(signal && { signal }) };
    const asked = sendRequest(origin + path, options).end();
    const [response] = await once(asked, "response");
    const bytes = await buffer(response);
    return { status: response.statusCode ?? 0, bytes, ms: performance.now() - startedAt };
  }

  async function read(path: string): Promise<Buffer> {
    const { status, bytes } = await ask(path);
    expect(status, `${path} ${status === 200 ? "" : textOf(bytes)}`).toBe(200);
    return bytes;
  }

  /**
   * Repeats the request while the site is not ready, as a player does. On a slow machine, a converted segment takes
   * longer than a player would wait.
   */
  async function readPatiently(path: string): Promise<Buffer> {
    for (;;) {
      const { status, bytes } = await ask(path);
      if (status === 200) return bytes;
      expect(status, `${path} ${textOf(bytes)}`).toBe(503);
    }
  }

  return {
    ask,
    read,
    readPatiently,
    /** Returns the base URL of an episode's parts, from its page, or null if the film is not packaged. */
    async findFolder(malId: number, episode: number): Promise<string | null> {
      const page = await ask(`/watch/${malId}/${episode}`);
      return /\/play\/[\da-f-]{36}\/[\da-f]{12}\//.exec(page.bytes.toString())?.[0] ?? null;
    },
    /** The names of a track's init segment and segments. */
    async listParts(folder: string, track: string): Promise<string[]> {
      const playlist = (await read(`${folder}${track}.m3u8`)).toString();
      return [`${track}.mp4`, ...(playlist.match(/^\S+\.m4s$/gm) ?? [])];
    },
  };
}

const textOf = (bytes: Buffer) => bytes.toString("utf8", 0, 300);

/** The message of a refusal. */
export const wordsOf = ({ bytes }: PartAnswer): string =>
  String((JSON.parse(bytes.toString()) as { error?: unknown }).error);
