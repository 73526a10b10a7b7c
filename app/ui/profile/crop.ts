/** The part of a picture to keep. At zoom 1 it is the largest rectangle that fits; `x` and `y` move it, 0 to 1. */
export type Crop = { zoom: number; x: number; y: number };
export type Size = { width: number; height: number };

export const wholeCrop: Crop = { zoom: 1, x: 0.5, y: 0.5 };
export const maxZoom = 4;

const between = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

const clampCrop = ({ zoom, x, y }: Crop): Crop => ({
  zoom: between(zoom, 1, maxZoom),
  x: between(x, 0, 1),
  y: between(y, 0, 1),
});

/** The rectangle to keep, in the picture's pixels. `x` and `y` are shares of the space left around it. */
export function cropBox(picture: Size, shape: Size, crop: Crop): Size & { left: number; top: number } {
  const { zoom, x, y } = clampCrop(crop);
  const scale = Math.min(picture.width / shape.width, picture.height / shape.height) / zoom;
  const [width, height] = [shape.width * scale, shape.height * scale];
  return { width, height, left: (picture.width - width) * x, top: (picture.height - height) * y };
}

/** The crop after the picture was dragged by `by`, in pixels of the frame. */
export function cropAfterDrag(
  crop: Crop,
  picture: Size,
  shape: Size,
  frameWidth: number,
  by: { x: number; y: number },
): Crop {
  const box = cropBox(picture, shape, crop);
  const perPixel = box.width / frameWidth;
  const along = (share: number, moved: number, free: number) =>
    free <= 0 ? share : share - (moved * perPixel) / free;
  return clampCrop({
    zoom: crop.zoom,
    x: along(crop.x, by.x, picture.width - box.width),
    y: along(crop.y, by.y, picture.height - box.height),
  });
}
