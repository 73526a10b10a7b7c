/** Stores the bytes of pictures by CID. Errors of the storage itself are thrown. */
export type Storage = {
  /** Resolves once the bytes are safely stored. Existing bytes are replaced, since they may be damaged. */
  put(cid: string, bytes: Buffer): Promise<void>;
  get(cid: string): Promise<Buffer | null>;
  /** Also succeeds if the picture does not exist. */
  remove(cid: string): Promise<void>;
  /** The CIDs stored before this time. Empty if other programs may use the same storage. */
  listBefore(beforeMs: number): AsyncIterable<string>;
  /** The URL at which the storage itself serves the picture, or null if it does not. */
  publicUrl(cid: string): string | null;
};
