/** Spans of time in milliseconds, so that no call site multiplies by hand. */
export const seconds = (count: number) => count * 1000;
export const minutes = (count: number) => seconds(count * 60);
export const hours = (count: number) => minutes(count * 60);
export const days = (count: number) => hours(count * 24);
export const inSeconds = (milliseconds: number) => Math.round(milliseconds / 1000);
