/** The door of images for code that also runs in browsers. */
export {
  imageFormats,
  imageSpec,
  maxPictureUrlLength,
  type PosterFormat,
  posterWidth,
} from "./image-spec.ts";
