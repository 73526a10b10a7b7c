import type { FocusEvent, RefObject } from "react";
import { entryFields, scoreChoices, scoreText } from "#app/domain/library/library.ts";
import { useSiteData } from "../shell/site.ts";
import { useSyncedField } from "./synced-field.ts";

type Props = {
  score: number | null;
  id?: string;
  label?: string;
  /** Shown while there is no score. */
  emptyText?: string;
  /** Called after a choice, or when the member leaves a typed score. Left out: the form is sent. */
  onChosen?(field: HTMLInputElement | HTMLSelectElement): void;
  /** The latest refusal of a choice. The field then shows the stored score again. */
  refusal?: unknown;
};

/** The member's own score, in the score format that they have chosen. */
export function ScoreField({ score, id, label, emptyText = "–", onChosen = sendForm, refusal }: Props) {
  const { scoreFormat } = useSiteData().preferences;
  const common = { id, name: "score", "aria-label": label };
  const value = scoreFormat === "decimal" ? decimalText(score) : `${score ?? ""}`;
  const { ref, defaultValue } = useSyncedField<HTMLInputElement & HTMLSelectElement>(
    value,
    "discard",
    refusal,
  );
  if (scoreFormat === "decimal")
    return (
      <input
        {...common}
        ref={ref as RefObject<HTMLInputElement>}
        defaultValue={defaultValue}
        className="input numeric"
        type="number"
        min={0}
        max={entryFields.score.max}
        // A stored score can have more decimals. With a step of 0.1, the browser would refuse to submit it again.
        step={hasOneDecimal(score) ? 0.1 : "any"}
        placeholder={emptyText}
        onBlur={({ currentTarget }: FocusEvent<HTMLInputElement>) => {
          if (currentTarget.reportValidity() && currentTarget.value !== value) onChosen(currentTarget);
        }}
      />
    );
  return (
    <select
      {...common}
      ref={ref as RefObject<HTMLSelectElement>}
      defaultValue={defaultValue}
      className="select"
      onChange={({ currentTarget }) => onChosen(currentTarget)}
    >
      <option value="">{emptyText}</option>
      {scoreChoices(scoreFormat, score).map((choice) => (
        <option key={choice.text} value={choice.score}>
          {choice.text}
        </option>
      ))}
    </select>
  );
}

const sendForm = ({ form }: HTMLInputElement | HTMLSelectElement) => form?.requestSubmit();

const hasOneDecimal = (score: number | null) => score === null || Number(score.toFixed(1)) === score;

function decimalText(score: number | null): string {
  if (score === null) return "";
  return hasOneDecimal(score) ? scoreText(score, "decimal") : `${score}`;
}
