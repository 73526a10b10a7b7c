import { type PointerEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type Crop, cropAfterDrag, cropBox, maxZoom, type Size, wholeCrop } from "./crop.ts";

type Props = {
  picture: ImageBitmap;
  /** Gets the focus after the dialog closes, because removing an open dialog leaves the focus on nothing. */
  opener: RefObject<HTMLElement | null>;
  shape: Size;
  /** The uploaded share, 0 to 1; null before the upload. */
  sent: number | null;
  onCancel(): void;
  onDone(cropped: Blob): void;
  /** The reason why the picture was not saved. The chosen part stays, to be sent again. */
  children: ReactNode;
};

/** Shows the part of the picture to keep. The pointer moves it, or three sliders, which also work by keyboard. */
export function CropDialog({ picture, opener, shape, sent, onCancel, onDone, children }: Props) {
  const [crop, setCrop] = useState<Crop>(wholeCrop);
  const dialog = useRef<HTMLDialogElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    return () => opener.current?.focus();
  }, [opener]);
  useEffect(() => {
    const { left, top, width, height } = cropBox(picture, shape, crop);
    canvas.current
      ?.getContext("2d")
      ?.drawImage(picture, left, top, width, height, 0, 0, shape.width, shape.height);
  }, [picture, shape, crop]);
  const isSending = sent !== null;
  const sendPart = () => {
    if (!isSending) canvas.current?.toBlob((blob) => blob && onDone(blob), "image/webp", 0.92);
  };
  return (
    <dialog ref={dialog} className="crop" aria-label="Choose the part to keep" onClose={onCancel}>
      <CropFrame
        canvas={canvas}
        shape={shape}
        onDrag={(by, frameWidth) => setCrop((now) => cropAfterDrag(now, picture, shape, frameWidth, by))}
      />
      <Sliders crop={crop} onChange={setCrop} />
      {isSending && (
        <progress value={sent} max={1} aria-label="Sending the picture">
          {Math.round(sent * 100)} %
        </progress>
      )}
      {children}
      <p className="crop-buttons">
        <button
          type="button"
          className="button"
          data-kind="primary"
          onClick={sendPart}
          aria-disabled={isSending}
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

type FrameProps = {
  canvas: RefObject<HTMLCanvasElement | null>;
  shape: Size;
  /** `by`: pixels of the window. `frameWidth`: the frame's width in the same pixels. */
  onDrag(by: { x: number; y: number }, frameWidth: number): void;
};

/** A mouse or finger drags the picture inside the frame. */
function CropFrame({ canvas, shape, onDrag }: FrameProps) {
  const last = useRef<{ x: number; y: number } | null>(null);
  const onDown = ({ currentTarget, pointerId, clientX: x, clientY: y }: PointerEvent) => {
    // Captures the pointer, so that the drag continues outside the picture.
    currentTarget.setPointerCapture(pointerId);
    last.current = { x, y };
  };
  const onMove = ({ currentTarget, clientX: x, clientY: y }: PointerEvent) => {
    if (last.current === null) return;
    onDrag({ x: x - last.current.x, y: y - last.current.y }, currentTarget.clientWidth);
    last.current = { x, y };
  };
  const onEnd = () => {
    last.current = null;
  };
  return (
    <div className="crop-frame" data-round={shape.width === shape.height || undefined}>
      <canvas
        ref={canvas}
        width={shape.width}
        height={shape.height}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onEnd}
        onPointerCancel={onEnd}
        role="img"
        aria-label="The part that will be kept"
      />
    </div>
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
