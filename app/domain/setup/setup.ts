/** The door of setup for code that also runs in browsers: the words for the settings that operators choose. */

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
