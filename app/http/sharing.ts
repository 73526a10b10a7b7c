/** What other origins may do with the answers of one address. A route declares it, the pipeline writes the headers. */
export type Sharing = {
  /** Whose pages may read the answers. Only the pages of CORS_ORIGINS may send credentials and change something. */
  readonly readers: "nobody" | "apiOrigins" | "anyone";
  /** Any page may show or play the answer without reading it. */
  readonly isEmbeddable?: boolean;
  /** The image and the video proxy read this address inside the process; another address of our own is refused as a loop. */
  readonly isReadByProxies?: boolean;
};

/** Pages, and what only machines of the operator ask for. */
export const withNobody: Sharing = { readers: "nobody" };
/** Endpoints that depend on who asks. An endpoint that declares nothing is one of them. */
export const withApiOrigins: Sharing = { readers: "apiOrigins" };
/** Endpoints that answer every stranger alike. */
export const withAnyone: Sharing = { readers: "anyone" };
/** What a proxy fetched for a page. */
export const asMedia: Sharing = { readers: "anyone", isEmbeddable: true };
/** Pictures and videos of this site. */
export const asOwnMedia: Sharing = { ...asMedia, isReadByProxies: true };
