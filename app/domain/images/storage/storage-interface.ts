/** Where the bytes of stored pictures are, by their CID. Failures of the place itself are thrown. */
export type Storage = {
  /** Back when the bytes are safe; putting what is there already only renews its date. */
  put(cid: string, bytes: Buffer): Promise<void>;
  get(cid: string): Promise<Buffer | null>;
  /** Removing what is not there is a success. */
  remove(cid: string): Promise<void>;
  /** What was put before this moment; empty where others keep things in the same place. */
  listBefore(moment: number): AsyncIterable<string>;
  /** The address that place itself serves the picture at, if it does. */
  publicUrl(cid: string): string | null;
};
