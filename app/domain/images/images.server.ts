/** The front door of pictures: what routes and other nouns may ask for. */
export { type Poster, titlePoster } from "./poster.server.ts";
export { proxiedImage, sentImage } from "./proxied-image.server.ts";
export { freshness, type Kept } from "./result-cache.server.ts";
export { type Asker, holdingPictures } from "./source-picture.server.ts";
export {
  claimStoredPicture,
  findStoredPicture,
  keepPictureBytes,
  pictureUrl,
  releaseStoredPicture,
  storedCidOf,
  storePicture,
  storePictureFrom,
  sweepRegularly,
  sweepStoredPictures,
} from "./stored-image.server.ts";
