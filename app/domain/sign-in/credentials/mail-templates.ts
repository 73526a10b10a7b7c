/** No mail contains text that a client typed. Otherwise anybody could send messages to others through this site. */

export const resetMail = (link: string) => ({
  subject: "Set a new password for Engawa",
  text: `Somebody, hopefully you, asked to set a new password for your Engawa account.

Open this link within 30 minutes; it works once:

${link}

If it was not you, ignore this mail. Your password stays as it is.
`,
});

export const verificationMail = (link: string) => ({
  subject: "Confirm your e-mail address for Engawa",
  text: `An Engawa account was made with this e-mail address, or got it now. If it is yours, confirm the address here within three days:

${link}

If you know of no such account, ignore this mail.
`,
});

/** Sent to the account's previous address. */
export const emailChangedMail = {
  subject: "Your Engawa account has another e-mail address",
  text: `The e-mail address of your Engawa account was changed, so it is no longer this one. All other devices were signed out.

If it was not you, ask the operator of the site to help you.
`,
};
