import { createContext, type ReactNode, type SyntheticEvent, use, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { PreferencesPart } from "#app/paths.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { isChangedEarly } from "#app/ui/forms/early-change.ts";
import { CheckIcon } from "#app/ui/icons/icons.tsx";
import { WarningIcon } from "#app/ui/icons/tool-icons.tsx";
import { formAction, type PageMessage, SaveButton, SectionAnswer, Switch } from "./sections.tsx";

/** The server's answer to a control that saved itself. A refusal has a message. */
export type SavedAnswer = { message?: string };

/** The control that was changed last, with the answer once it is there. */
const LastSaved = createContext<{ name: string; answer: SavedAnswer | undefined } | null>(null);

type FormProps = { about: PreferencesPart; message: PageMessage | null; children: ReactNode };

/**
 * The preferences of one section. With scripts each control saves itself as soon as it is changed; without them, the
 * section has a button that saves them together.
 */
export function PreferenceForm({ about, message, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { last, save } = useSaving(about);
  useChosen(form, save);
  useEarlyChanges(form);
  const onSubmit = (event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const pressed = event.nativeEvent.submitter as HTMLButtonElement | null;
    if (pressed?.name) save({ [pressed.name]: pressed.value });
  };
  return (
    <form
      ref={form}
      method="post"
      action={formAction(about)}
      className="stack"
      onSubmit={onSubmit}
      // On a reload, Firefox would fill in what the form had before, which may have been changed elsewhere since.
      autoComplete="off"
    >
      {/* Enter in a text field presses a form's first button. This one sends the fields as they are. */}
      <button type="submit" hidden />
      {/* First: without scripts, the page that answers scrolls to the section's heading. */}
      <SectionAnswer about={about} message={message} />
      <LastSaved value={last}>{children}</LastSaved>
      <div className="no-script-only">
        <SaveButton />
      </div>
    </form>
  );
}

type Fields = Record<string, string>;

function useSaving(about: PreferencesPart) {
  const fetcher = useFetcher<SavedAnswer>();
  const [sent, setSent] = useState<{ name: string; before: SavedAnswer | undefined }>();
  // A change aborts the request of the one before, so it sends the fields of both.
  const save = (fields: Fields) => {
    const unsent = Object.fromEntries((fetcher.formData ?? []) as Iterable<[string, string]>);
    setSent({ name: Object.keys(fields)[0] ?? "", before: fetcher.data });
    void fetcher.submit({ ...unsent, ...fields, alone: "1" }, { method: "post", action: formAction(about) });
  };
  // For a moment, the fetcher still has the answer to the change before.
  const isOld = fetcher.state === "submitting" || fetcher.data === sent?.before;
  return { last: { name: sent?.name ?? "", answer: isOld ? undefined : fetcher.data }, save };
}

type Control = HTMLInputElement | HTMLSelectElement;

/**
 * Listens to the browser's own event, which comes once somebody has chosen. React's `onChange` comes at each typed
 * character and at each movement in the color picker.
 */
function useChosen(form: { current: HTMLFormElement | null }, save: (fields: Fields) => void) {
  useEffect(() => {
    const node = form.current;
    const onChange = ({ target }: Event) => {
      const control = target as Control;
      if (control.reportValidity()) save(fieldsWith(control));
    };
    node?.addEventListener("change", onChange);
    return () => node?.removeEventListener("change", onChange);
  });
}

/** Saves the controls that were changed before the scripts had loaded. */
function useEarlyChanges(form: { current: HTMLFormElement | null }) {
  useEffect(() => {
    for (const control of (form.current?.elements ?? []) as Iterable<Control>) {
      const isChoice = control instanceof HTMLSelectElement || control.type === "checkbox";
      if (isChoice && isChangedEarly(control)) control.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }, [form]);
}

/** The changed control first, and those of its group, which are one preference. */
function fieldsWith(control: Control): Fields {
  const group = control.closest("fieldset")?.elements ?? [];
  return Object.fromEntries(
    [control, ...(group as Iterable<Control>)].map((one) => [sentNameOf(one), sentValueOf(one)]),
  );
}

/** The color picker has no field of its own: it fills the text field beside it. */
const sentNameOf = ({ name, dataset }: Control) => name || `${dataset.saves}`;

function sentValueOf(control: Control) {
  if (control.type !== "checkbox") return control.value;
  return (control as HTMLInputElement).checked ? "1" : "0";
}

function useAnswer(name: string) {
  const last = use(LastSaved);
  return last?.name === name ? last.answer : undefined;
}

/** After a refusal, a control shows what is stored. Choosing the same again then tries to save it again. */
function useRefusal(name: string) {
  const answer = useAnswer(name);
  return answer?.message === undefined ? undefined : answer;
}

/** Says beside a control that it is saved, or why not. */
export function Setting({ name, children }: { name: string; children: ReactNode }) {
  const answer = useAnswer(name);
  const isSaved = answer !== undefined && answer.message === undefined;
  return (
    <div className="setting">
      {children}
      <p className="setting-saved" role="status">
        {isSaved && (
          <>
            <CheckIcon />
            Saved
          </>
        )}
      </p>
      {answer?.message !== undefined && (
        <p className="field-error" role="alert">
          <WarningIcon />
          {answer.message}
        </p>
      )}
    </div>
  );
}

/** A list of choices that is one preference. */
export const SettingSelect = (props: Parameters<typeof ChoiceSelect>[0]) => (
  <Setting name={props.name}>
    <ChoiceSelect {...props} refusal={useRefusal(props.name)} />
  </Setting>
);

export const PreferenceSwitch = (props: Parameters<typeof Switch>[0]) => (
  <Setting name={props.name}>
    <Switch {...props} refusal={useRefusal(props.name)} />
  </Setting>
);
