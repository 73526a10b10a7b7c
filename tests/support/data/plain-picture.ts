import sharp from "sharp";

/** A PNG of one color. */
export const plainPng = (widthPx: number, heightPx: number, color: string): Promise<Buffer> =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 3, background: color } })
    .png()
    .toBuffer();
