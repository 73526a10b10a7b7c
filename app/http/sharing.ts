/** How other origins may use the answers of one path. A route declares it, and the pipeline writes the headers. */
export type Sharing = {
  /** Whose pages may read the answers. Only the pages of CORS_ORIGINS may send credentials and write. */
  readonly readers: "nobody" | "apiOrigins" | "anyone";
  /** Any page may show or play the answer without reading it. */
  readonly isEmbeddable?: boolean;
  /**
   * The image and video proxies may read this path inside the process. They refuse every other path of this site, to
   * avoid a loop.
   */
  readonly isReadByProxies?: boolean;
};

/** Pages, and endpoints for machines of the people who run the site. */
export const withNobody: Sharing = { readers: "nobody" };
/** Endpoints whose answers depend on the session. This is the default. */
export const withApiOrigins: Sharing = { readers: "apiOrigins" };
/** Endpoints that give everybody the same answer. */
export const withAnyone: Sharing = { readers: "anyone" };
/** Media that a proxy fetched for a page. */
export const asMedia: Sharing = { readers: "anyone", isEmbeddable: true };
/** Pictures and videos of this site. */
export const asOwnMedia: Sharing = { ...asMedia, isReadByProxies: true };
