/** Sizes in bytes, so that no call site multiplies by hand. */
export const kibibytes = (count: number) => count * 1024;
export const mebibytes = (count: number) => kibibytes(count * 1024);
