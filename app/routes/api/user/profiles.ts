import { z } from "zod";
import { getCurrentSession, member } from "#app/access/guards/guard.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { findEntry, listProfiles } from "#app/domain/household/household.server.ts";
import { operation, serve, succeed, success } from "#app/http/endpoint/operation.server.ts";
import { sameOrigin } from "#app/http/guards/same-origin.server.ts";
import { householdProfileObject, householdProfileOnWire } from "./listed-profile.server.ts";

export const middleware = [limited("user"), sameOrigin, member];

const profile = householdProfileObject
  .extend({
    current: z.boolean().meta({
      description: "The session acts for it. True of none after hours without a request beside a child",
    }),
    asks: z.enum(["pin", "password", "sign-in"]).nullable().meta({
      description: "What this session needs to switch to it. The password of the account always works",
    }),
  })
  .meta({ id: "HouseholdProfile" });

const list = operation("GET", {
  tag: "Profile",
  summary: "The profiles of the account",
  description:
    "The owner's first, then the oldest. Needs a session; an access token acts for one profile and cannot switch.",
  answer: success(z.array(profile)),
  handle: async ({ context }) => {
    const session = getCurrentSession(context);
    const { id: currentId, accountId } = session.user;
    const profiles = await listProfiles(accountId);
    const entries = await Promise.all(profiles.map(({ id }) => findEntry(session, id)));
    const data = profiles.flatMap((one, index) => {
      const entry = entries[index];
      // A profile that was deleted meanwhile has no entry.
      return entry?.ok
        ? [
            {
              ...householdProfileOnWire(one, context),
              current: one.id === currentId && !session.asksWho,
              asks: entry.value.asks,
            },
          ]
        : [];
    });
    return succeed(data);
  },
});

export const loader = serve(list);
export const action = loader;
