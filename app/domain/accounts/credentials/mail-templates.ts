/**
 * What is written in our mails. Nothing that a stranger typed stands in them, so that nobody can make this site send
 * their words to somebody else.
 */

export const resetMail = (link: string) => ({
  subject: "Set a new password for Engawa",
  text: `Somebody, hopefully you, asked to set a new password for your Engawa account.

Open this link within 30 minutes; it works once:

${link}

If it was not you, there is nothing to do: your password stays as it is.
`,
});

export const verificationMail = (link: string) => ({
  subject: "Confirm your e-mail address for Engawa",
  text: `An Engawa account was made with this e-mail address. If it is yours, confirm the address here within three days:

${link}

If you made no account, ignore this mail.
`,
});
