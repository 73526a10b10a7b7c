/** True if requests of this method change nothing. */
export const isReading = (method: string): boolean => method === "GET" || method === "HEAD";
