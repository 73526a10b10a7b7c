import { type PointerEvent, useEffect, useRef, useState } from "react";
import { type Crop, cropAfterDrag, cropBox, maxZoom, type Size, wholeCrop } from "./crop.ts";

type Props = {
  picture: ImageBitmap;
  shape: Size;
  /** The share that is sent, 0 to 1; null before. */
  sent: number | null;
  onCancel(): void;
  onDone(cropped: Blob): void;
};

/** Shows the part that will be kept. The pointer moves it, or three sliders, which also work by keyboard. */
export function CropDialog({ picture, shape, sent, onCancel, onDone }: Props) {
  const [crop, setCrop] = useState<Crop>(wholeCrop);
  const dialog = useRef<HTMLDialogElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    const { left, top, width, height } = cropBox(picture, shape, crop);
    canvas.current
      ?.getContext("2d")
      ?.drawImage(picture, left, top, width, height, 0, 0, shape.width, shape.height);
  }, [picture, shape, crop]);
  const onMove = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons === 0) return;
    const by = { x: event.movementX, y: event.movementY };
    setCrop((now) => cropAfterDrag(now, picture, shape, event.currentTarget.clientWidth, by));
  };
  const sendPart = () => canvas.current?.toBlob((blob) => blob && onDone(blob), "image/webp", 0.92);
  return (
    <dialog ref={dialog} className="crop" aria-label="Choose the part to keep" onClose={onCancel}>
      <canvas
        ref={canvas}
        width={shape.width}
        height={shape.height}
        onPointerMove={onMove}
        role="img"
        aria-label="The part that will be kept"
      />
      <Sliders crop={crop} onChange={setCrop} />
      {sent !== null && (
        <progress value={sent} max={1} aria-label="Sending the picture">
          {Math.round(sent * 100)} %
        </progress>
      )}
      <p className="crop-buttons">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={sendPart}
          disabled={sent !== null}
        >
          Use this part
        </button>
        <button type="button" className="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </p>
    </dialog>
  );
}

const Sliders = ({ crop, onChange }: { crop: Crop; onChange(crop: Crop): void }) => (
  <>
    <Slider
      name="Zoom"
      value={crop.zoom}
      min={1}
      max={maxZoom}
      onChange={(zoom) => onChange({ ...crop, zoom })}
    />
    <Slider name="Left and right" value={crop.x} min={0} max={1} onChange={(x) => onChange({ ...crop, x })} />
    <Slider name="Up and down" value={crop.y} min={0} max={1} onChange={(y) => onChange({ ...crop, y })} />
  </>
);

type SliderProps = {
  name: string;
  value: number;
  min: number;
  max: number;
  onChange(value: number): void;
};

const Slider = ({ name, value, min, max, onChange }: SliderProps) => (
  <label className="crop-slider">
    {name}
    <input
      type="range"
      min={min}
      max={max}
      step={0.01}
      value={value}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  </label>
);
