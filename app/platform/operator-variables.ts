import { z } from "zod";
import { flag, optional, url, type Variable, variable } from "./process/variable-values.ts";

/** Information that operators of a public site publish about it. The law of many countries requires some of it. */
export const operatorVariables = {
  SITE_NAME: optional(
    z.string().max(60, "at most 60 characters"),
    "Name of your site, shown in the footer and where people sign in",
  ),
  LEGAL_URL: optional(
    url("http"),
    "Address of your legal notice (imprint), linked in the footer and where people sign in",
  ),
  PRIVACY_URL: optional(url("http"), "Address of your privacy policy, linked in the same places"),
  CONTACT: optional(
    z
      .string()
      .regex(/^(https?:\/\/\S+|[^\s@:/?]+@[^\s@:/?]+)$/, "must be an e-mail address or an http address"),
    "E-mail address or http address at which people reach you, linked in the same places",
  ),
  REQUESTS: variable(flag, "0 takes away wishes, with which members ask for films where MEDIA_DIR is set", {
    default: "1",
  }),
} satisfies Record<string, Variable>;
