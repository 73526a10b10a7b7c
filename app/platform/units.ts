/** Sizes in bytes. */
export const kibibytes = (count: number) => count * 1024;
export const mebibytes = (count: number) => kibibytes(count * 1024);

/**
 * A size limit as text for people. Rounded down, so that a file of that many MB is accepted by either definition of MB.
 */
export const sizeText = (bytes: number) =>
  bytes < mebibytes(1) ? `${Math.floor(bytes / kibibytes(1))} kB` : `${Math.floor(bytes / mebibytes(1))} MB`;

/** Durations in milliseconds. */
export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(count * 60);
export const hours = (count: number) => minutes(count * 60);
export const days = (count: number) => hours(count * 24);
export const inSeconds = (milliseconds: number) => Math.round(milliseconds / 1000);
