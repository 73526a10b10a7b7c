import { type ChangeEvent, lazy, Suspense, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { profilePicturePath } from "#app/paths.ts";
import { UploadIcon, WarningIcon } from "../icons/tool-icons.tsx";
import type { Size } from "./crop.ts";

/** Comes with the first picture that is chosen. */
const CropDialog = lazy(async () => ({ default: (await import("./crop-dialog.tsx")).CropDialog }));

type PictureKind = "avatar" | "banner";
const shapes: Record<PictureKind, Size> = {
  avatar: { width: 512, height: 512 },
  banner: { width: 1080, height: 300 },
};
const names: Record<PictureKind, string> = { avatar: "Picture", banner: "Banner" };

/** Whose picture it is: the first letter stands for a missing one. */
type Props = { kind: PictureKind; current: string | null; name: string };

/** Sends a picture as soon as it is chosen; without scripts by its own button, cut to shape by the server. */
export function PictureForm({ kind, current, name }: Props) {
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const revalidator = useRevalidator();
  const { pathname } = useLocation();

  const onChoose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    setTrouble(null);
    // What the browser cannot show is sent whole; animated pictures are, so that they stay animated.
    const bitmap = file.type === "image/gif" ? null : await createImageBitmap(file).catch(() => null);
    if (bitmap) setPicture(bitmap);
    else await send(file);
    input.value = "";
  };
  const send = async (blob: Blob) => {
    const refused = await sendPicture(kind, blob, setSent);
    setSent(null);
    setPicture(null);
    setTrouble(refused);
    if (refused === null) void revalidator.revalidate();
  };
  return (
    <form method="post" action={profilePicturePath()} encType="multipart/form-data" className="picture-form">
      <Current kind={kind} picture={current} name={name} />
      <div className="field">
        <label htmlFor={kind}>{names[kind]}</label>
        <input
          id={kind}
          type="file"
          name="image"
          accept="image/*"
          required
          onChange={(event) => void onChoose(event)}
        />
        <input type="hidden" name="isBanner" value={kind === "banner" ? "1" : "0"} />
        <input type="hidden" name="filename" value={kind} />
        <input type="hidden" name="redirectTo" value={pathname} />
        <button className="button no-script-only" data-size="small" type="submit">
          <UploadIcon />
          Send
        </button>
        <Trouble words={trouble} />
      </div>
      {picture && (
        <Suspense>
          <CropDialog
            picture={picture}
            shape={shapes[kind]}
            sent={sent}
            onCancel={() => setPicture(null)}
            onDone={(blob) => void send(blob)}
          />
        </Suspense>
      )}
    </form>
  );
}

const Trouble = ({ words }: { words: string | null }) =>
  words === null ? null : (
    <p className="field-error" role="alert">
      <WarningIcon />
      {words}
    </p>
  );

const Current = ({ kind, picture, name }: { kind: PictureKind; picture: string | null; name: string }) =>
  picture === null ? (
    <span className="picture-empty" data-kind={kind} aria-hidden="true">
      {kind === "avatar" && name.slice(0, 1).toUpperCase()}
    </span>
  ) : (
    <img src={picture} alt="" width={shapes[kind].width} height={shapes[kind].height} data-kind={kind} />
  );

/** With XMLHttpRequest, since fetch tells nothing of how far a request has come. Null: it is there. */
function sendPicture(
  kind: PictureKind,
  blob: Blob,
  onProgress: (share: number) => void,
): Promise<string | null> {
  const form = new FormData();
  form.set("isBanner", kind === "banner" ? "1" : "0");
  form.set("filename", `${kind}.webp`);
  form.set("image", blob, `${kind}.webp`);
  const request = new XMLHttpRequest();
  const answered = new Promise<string | null>((resolve) => {
    request.onload = () => resolve(request.status < 400 ? null : refusalTextOf(request.responseText));
    request.onerror = () => resolve("The picture could not be sent. Check the connection and try again.");
  });
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.open("POST", profilePicturePath());
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  return answered;
}

function refusalTextOf(text: string): string {
  try {
    return (JSON.parse(text) as { error: string }).error;
  } catch {
    return "The picture could not be saved. Try another one.";
  }
}
