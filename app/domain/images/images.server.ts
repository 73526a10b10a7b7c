/** The front door of images on the server. */
export { titlePoster } from "./poster.server.ts";
export { convertUploadedImage, getProxiedImage } from "./proxied-image.server.ts";
export { type CachedImage, remainingFreshMs } from "./result-cache.server.ts";
export { pictureBudget } from "./source-picture.server.ts";
export {
  claimStoredPicture,
  createStoredPicture,
  createStoredPictureFromUrl,
  deleteUnusedPictures,
  findStoredCid,
  findStoredPicture,
  isPictureOf,
  publicPictureUrl,
  releaseStoredPicture,
  restorePictureBytes,
  scheduleUnusedPictureDeletion,
} from "./stored-picture.server.ts";
