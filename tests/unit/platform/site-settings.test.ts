import { afterEach, expect, test } from "vitest";
import {
  type ChosenSettings,
  nothingChosen,
  onSettingsChange,
  takeChosenSettings,
} from "#app/platform/site-settings.server.ts";

/** Cached pages end when an operator chooses another value, whichever setting it is. */

/** `tsc` demands a value here for a new setting. */
const choices: Required<ChosenSettings> = {
  signUps: "open",
  visitors: "no",
  details: true,
};

afterEach(() => {
  takeChosenSettings(nothingChosen);
});

test.each(Object.entries(choices))("a change of %s ends what is cached, once", (name, value) => {
  let calls = 0;
  onSettingsChange(() => {
    calls += 1;
  });
  expect(takeChosenSettings({ ...nothingChosen, [name]: value })).toBe(true);
  expect(takeChosenSettings({ ...nothingChosen, [name]: value })).toBe(false);
  expect(calls).toBe(1);
});
