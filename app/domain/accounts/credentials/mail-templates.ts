/**
 * The mails contain no text that a client typed. Otherwise anybody could use this site to send messages to others.
 */

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
  text: `An Engawa account was made with this e-mail address. If it is yours, confirm the address here within three days:

${link}

If you made no account, ignore this mail.
`,
});
