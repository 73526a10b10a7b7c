/** The front door of images for code that also runs in browsers. */
export { imageFormats, imageSpec, posterWidth } from "./image-spec.ts";
