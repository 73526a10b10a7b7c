import { seconds } from "#app/platform/units.ts";
import type { Storage } from "./storage-interface.ts";

type Settings = { api: string; token: string | undefined; gateway: string | undefined };

const timeoutMs = seconds(20);

/** A Kubo node. Each picture is one pinned raw block, so Kubo computes the same CID as `cidOf`. */
export function ipfsStorage({ api, token, gateway }: Settings): Storage {
  const base = api.replace(/\/+$/, "");

  /** Kubo's RPC accepts only POST, and responds to every error with 500. */
  async function call(command: string, query: Record<string, string>, body?: FormData) {
    return fetch(`${base}/api/v0/${command}?${new URLSearchParams(query)}`, {
      method: "POST",
      signal: AbortSignal.timeout(timeoutMs),
      ...(token && { headers: { Authorization: `Bearer ${token}` } }),
      ...(body && { body }),
    });
  }

  async function put(cid: string, bytes: Buffer) {
    const form = new FormData();
    form.set("data", new Blob([bytes as Uint8Array<ArrayBuffer>]), cid);
    const response = await call("block/put", { "cid-codec": "raw", mhtype: "sha2-256", pin: "true" }, form);
    if (!response.ok) throw await toError(response, "block/put");
    const { Key } = (await response.json()) as { Key?: string };
    if (Key !== cid) throw new Error("the IPFS node stored the picture under another name");
  }

  /** `offline` makes Kubo respond at once if it lacks the block, instead of searching the whole IPFS network. */
  async function get(cid: string) {
    const response = await call("block/get", { arg: cid, offline: "true" });
    if (response.ok) return Buffer.from(await response.arrayBuffer());
    return nullIfExpected(/not found/i, response, "block/get");
  }

  async function remove(cid: string) {
    const unpinned = await call("pin/rm", { arg: cid });
    if (!unpinned.ok) await nullIfExpected(/not pinned/i, unpinned, "pin/rm");
    else await unpinned.body?.cancel();
    const removed = await call("block/rm", { arg: cid, force: "true" });
    if (!removed.ok) throw await toError(removed, "block/rm");
    await removed.body?.cancel();
  }

  return {
    put,
    get,
    remove,
    // Lists nothing: the node may hold pins of other programs, which must not be deleted.
    async *listBefore() {},
    publicUrl: (cid) => (gateway ? `${gateway.replace(/\/+$/, "")}/ipfs/${cid}` : null),
  };
}

async function nullIfExpected(expected: RegExp, response: Response, command: string): Promise<null> {
  const { Message } = (await response.json().catch(() => ({}))) as { Message?: string };
  if (response.status === 500 && expected.test(Message ?? "")) return null;
  throw await toError(response, command);
}

async function toError(response: Response, command: string) {
  if (!response.bodyUsed) await response.body?.cancel();
  return new Error(`the IPFS node answered ${response.status} to ${command}`);
}
