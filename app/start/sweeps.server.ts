import { deleteOldEvents } from "#app/domain/events/events.server.ts";
import { deleteUnusedPicturesOnce } from "#app/domain/images/images.server.ts";
import { deleteOldInvitations } from "#app/domain/joining/joining.server.ts";
import { deleteOldWishes } from "#app/domain/library/library.server.ts";
import { deleteOldDeviceCodes } from "#app/domain/sign-in/sign-in.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { hours, minutes } from "#app/platform/units.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";

/** Deletes data some time after it is last needed, on one instance at a time. */

const sweeps = {
  // Also begins after an account is deleted, so it has a lock of its own.
  "unused pictures": deleteUnusedPicturesOnce,
  "old events": deleteOldEvents,
  "old codes of devices": deleteOldDeviceCodes,
  "old invitations": deleteOldInvitations,
  "old wishes": deleteOldWishes,
};
const intervalMs = hours(6);

/** The first run comes soon, because an instance that restarts every day might never reach a later one. */
export function scheduleSweeps() {
  setTimeout(sweep, minutes(5)).unref();
  setInterval(sweep, intervalMs).unref();
}

async function sweep() {
  for (const [name, work] of Object.entries(sweeps))
    await runOnOneInstance(name, work).catch((error) =>
      log.warn(`could not delete ${name}; the next run tries again`, errorFields(error)),
    );
}
