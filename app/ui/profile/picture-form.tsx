import { type ChangeEvent, useRef, useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { profilePicturePath } from "#app/paths.ts";
import { UploadIcon, WarningIcon } from "../icons/tool-icons.tsx";
import { lazyWithRetry } from "../lazy-with-retry.tsx";
import type { Size } from "./crop.ts";
import { type PictureKind, refusedPictureText, withoutRefusal } from "./picture-refusal.ts";

/** Loaded when a picture is chosen. */
const CropDialog = lazyWithRetry(() => import("./crop-dialog.tsx").then((part) => part.CropDialog), "notice");

const shapes: Record<PictureKind, Size> = {
  avatar: { width: 512, height: 512 },
  banner: { width: 1080, height: 300 },
};
const names: Record<PictureKind, string> = { avatar: "Picture", banner: "Banner" };
const removeLabels: Record<PictureKind, string> = { avatar: "Remove picture", banner: "Remove banner" };

type Props = {
  kind: PictureKind;
  current: string | null;
  /** The member's name. Its first letter replaces a missing avatar. */
  name: string;
  /** The id of another profile of the household, if the picture is not the member's own. */
  profile?: string;
};

/**
 * With scripts, a chosen picture opens the crop dialog. Without scripts, a button uploads the picture, the server crops
 * it and redirects back to the page. The query stays, because on the sign-up page it contains the next target.
 */
export function PictureForm({ kind, current, name, profile }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ImageBitmap | null>(null);
  const { pathname, search } = useLocation();
  const { sent, errorText, send, cancel } = useSending(
    { kind, profile },
    { firstErrorText: refusedPictureText(kind, search), onSaved: () => setPicture(null) },
  );

  const onChoose = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    cancel();
    // A picture that the browser cannot decode is uploaded whole. A GIF is too, because cropping would keep only one
    // frame.
    const bitmap = file.type === "image/gif" ? null : await createImageBitmap(file).catch(() => null);
    if (bitmap) setPicture(bitmap);
    else await send(file);
    input.value = "";
  };
  const redirectTo = pathname + withoutRefusal(search);
  const fieldError = <FieldError text={errorText} />;
  return (
    <form
      method="post"
      action={profilePicturePath({ kind, profile, redirectTo })}
      encType="multipart/form-data"
      className="picture-form"
    >
      <Current kind={kind} picture={current} name={name} />
      <div className="field">
        <label htmlFor={kind}>{names[kind]}</label>
        <input
          ref={field}
          id={kind}
          type="file"
          name="image"
          accept="image/*"
          required
          onChange={(event) => void onChoose(event)}
        />
        <button className="button no-script-only" data-size="small" type="submit">
          <UploadIcon />
          Send
        </button>
        <p className="quiet no-script-only">
          Send it before you change other fields: each form is saved alone.
        </p>
        {current !== null && (
          <button
            className="link"
            type="submit"
            formAction={profilePicturePath({ kind, profile, redirectTo, remove: "1" })}
            formEncType="application/x-www-form-urlencoded"
            formNoValidate
          >
            {removeLabels[kind]}
          </button>
        )}
        {!picture && fieldError}
      </div>
      {picture && (
        <CropDialog
          picture={picture}
          opener={field}
          shape={shapes[kind]}
          sent={sent}
          onCancel={() => {
            cancel();
            setPicture(null);
          }}
          onDone={(blob) => void send(blob)}
        >
          {fieldError}
        </CropDialog>
      )}
    </form>
  );
}

type Use = { kind: PictureKind; profile: string | undefined };

type Sending = {
  /** The refusal of a picture that was sent without scripts. The next upload replaces it. */
  firstErrorText: string | null;
  onSaved(): void;
};

/** Uploads a picture. `sent` is the uploaded share, and `errorText` the reason of a refusal. */
function useSending(use: Use, { firstErrorText, onSaved }: Sending) {
  const [sent, setSent] = useState<number | null>(null);
  const [errorText, setErrorText] = useState(firstErrorText);
  const revalidator = useRevalidator();
  const request = useRef<XMLHttpRequest>(null);
  const send = async (blob: Blob) => {
    setErrorText(null);
    request.current = new XMLHttpRequest();
    const refusalText = await sendPicture(use, blob, { request: request.current, onProgress: setSent });
    setSent(null);
    setErrorText(refusalText);
    if (refusalText !== null) return;
    onSaved();
    void revalidator.revalidate();
  };
  const cancel = () => {
    request.current?.abort();
    setErrorText(null);
  };
  return { sent, errorText, send, cancel };
}

const FieldError = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p className="field-error" role="alert">
      <WarningIcon />
      {text}
    </p>
  );

const Current = ({ kind, picture, name }: { kind: PictureKind; picture: string | null; name: string }) =>
  picture === null ? (
    <span className="picture-empty" data-kind={kind} aria-hidden="true">
      {kind === "avatar" && [...name][0]?.toUpperCase()}
    </span>
  ) : (
    <img src={picture} alt="" width={shapes[kind].width} height={shapes[kind].height} data-kind={kind} />
  );

type Upload = { request: XMLHttpRequest; onProgress(share: number): void };

/**
 * Resolves with the error text, or null, also after an abort. Uses XMLHttpRequest, because fetch does not report the
 * progress of an upload.
 */
function sendPicture(use: Use, blob: Blob, { request, onProgress }: Upload): Promise<string | null> {
  const form = new FormData();
  form.set("image", blob, `${use.kind}.webp`);
  const result = new Promise<string | null>((resolve) => {
    request.onload = () => resolve(request.status < 400 ? null : refusalTextOf(request.responseText));
    request.onabort = () => resolve(null);
    request.onerror = () => resolve("The picture could not be sent. Check the connection and try again.");
  });
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.open("POST", profilePicturePath(use));
  request.setRequestHeader("Accept", "application/json");
  request.send(form);
  return result;
}

function refusalTextOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: string };
    if (error !== undefined) return error;
  } catch {}
  return "The picture could not be saved. Try another one.";
}
