import { z } from "zod";
import { type ExternalId, externalSites, parseExternalId } from "#app/domain/catalog/catalog.ts";
import { describedAs, listOf } from "#app/http/endpoint/wire-schema.ts";
import { mustBeOneOf } from "#app/platform/validation-messages.ts";

/** The query parameter for ids on other sites: `anidb:4563,tvdb:76885:2`. */

const refusalOf = (refusal: "unknown site" | "wrong id") =>
  refusal === "unknown site"
    ? `the site ${mustBeOneOf(externalSites)}`
    : "must be a site and an id, such as anidb:4563";

const externalIds = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .transform((value, context): ExternalId[] =>
      value
        .split(",")
        .filter((text) => text.trim() !== "")
        .flatMap((text) => {
          const id = parseExternalId(text);
          if (typeof id !== "string") return id;
          const message = `${refusalOf(id)}, not "${text.trim().slice(0, 40)}"`;
          context.addIssue({ code: "custom", message });
          return [];
        }),
    );

export const externalIdsInput = (maxLength: number) =>
  describedAs(
    externalIds(maxLength),
    listOf({ type: "string", pattern: `^(${externalSites.join("|")}):[^:,]+(:[0-9]+)?$` }),
  )
    .optional()
    .describe(
      `Ids on other sites, such as anidb:4563, or tvdb:76885:2 for a season, separated by commas. Sites: ${externalSites.join(", ")}`,
    );
