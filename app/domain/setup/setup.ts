import { setupSteps } from "#db/schema/enumerations.ts";

/**
 * The door of setup for code that also runs in browsers: its steps, and the words for the settings that operators
 * choose.
 */

export { setupSteps };
export type SetupStep = (typeof setupSteps)[number];

export const stepTitles: Record<SetupStep, string> = {
  videos: "Media folder",
  found: "What was found",
  catalog: "Catalog",
  people: "People",
  watch: "Watch",
};

/** "step 3 of 5" */
export const stepText = (step: SetupStep) => `step ${setupSteps.indexOf(step) + 1} of ${setupSteps.length}`;

/** Undefined after the last step. */
export const stepAfter = (step: SetupStep): SetupStep | undefined => setupSteps[setupSteps.indexOf(step) + 1];

export const settingLabels = {
  signUps: "Who may join",
  visitors: "What visitors see",
  details: "Details of titles",
} as const;

export const signUpTexts = {
  closed: "Nobody",
  invite: "By invitation",
  open: "Everybody",
  code: "With the sign-up code",
} as const;

export const visitorTexts = { yes: "The catalog", no: "Nothing" } as const;
