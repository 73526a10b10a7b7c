/** What a browser, too, may know of pictures. */
export { imageFormats, imageSpec, posterWidth } from "./image-spec.ts";
