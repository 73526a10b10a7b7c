/** The front door of pictures: what routes and other nouns may ask for. */
export { type Poster, titlePoster } from "./poster.server.ts";
export { type Asker, proxiedImage } from "./proxied-image.server.ts";
export type { Kept } from "./result-cache.server.ts";
