/** The door of images on the server: posters, uploads, and pictures of other servers. */

export { bannerUrl, isPictureShown, proxiedPictureUrl } from "./image-proxy-access.server.ts";
export { isSignedPicture } from "./poster/picture-files.server.ts";
export { isPosterDrawn, type TitlePictures, titlePoster } from "./poster.server.ts";
export { convertUploadedImage, getProxiedImage } from "./proxied-image.server.ts";
export { prepareRenderers } from "./renderer.server.ts";
export { type CachedImage, remainingFreshMs } from "./result-cache.server.ts";
export { fetchPicture, pictureBudget } from "./source-picture.server.ts";
export { parseCid } from "./storage/cid.server.ts";
export { deleteUnusedPictures, deleteUnusedPicturesOnce } from "./storage/unused-pictures.server.ts";
export {
  createCatalogPicture,
  createStoredPicture,
  findStoredCid,
  findStoredPicture,
  isPictureLost,
  isPictureOf,
  keepPictureOfTitle,
  publicPictureUrl,
  replacePictureUses,
  restorePictureBytes,
} from "./stored-picture.server.ts";
