import { LRUCache } from "lru-cache";
import { findPassHolder, findSession } from "#app/domain/accounts/accounts.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { noSuchFilmRefusal } from "#app/domain/films/films.server.ts";
import { findOpenFile, isForEverybody, type WantedFile } from "#app/domain/playback/playback.server.ts";
import { findTokenUser } from "#app/domain/sign-in/sign-in.server.ts";
import { seesFilms } from "#app/domain/visibility/visibility.server.ts";
import {
  answerStateContext,
  type Context,
  clientContext,
  insideRequestContext,
} from "#app/http/context.server.ts";
import { fail, refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";
import { readSessionSecret } from "#app/http/guards/session-cookie.server.ts";
import { logFailure } from "#app/http/log-failure.server.ts";
import { asMedia, type Sharing, withApiOrigins } from "#app/http/sharing.ts";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes, minutes, seconds } from "#app/platform/units.ts";
import { readPass } from "./film-pass.server.ts";
import { findUserOrTokenUser } from "./guards/guard.server.ts";
import { limited } from "./limits.server.ts";
import { filmsNeedSession, viewerOf, visitorViewer } from "./viewer.server.ts";

/**
 * The check before every route that sends bytes of a film. A browser is let in by its session, another player by the
 * pass in a signed address. The result is cached for some seconds, because a player requests many parts of a film.
 */

/** Pages of other sites may show films only if everybody may see them. */
export const filmSharing: Sharing = filmsNeedSession ? withApiOrigins : asMedia;
export const mediaFolderSharing: Sharing = { ...filmSharing, isReadByProxies: true };

/** `pass` is the pass in a signed address, for a player without a session. */
type FilmRequest = { request: Request; context: Context; pass?: string | undefined };
/** Whether a sender may have a file, and when that was looked up. `file` is null if not. Visitors have no `user`. */
type FilmPermission = {
  file: string | null;
  user: Pick<SessionUser, "id" | "accountId"> | null;
  at: number;
};

type AdmittedRequest = {
  /** The result of `findOpenFile`. */
  file: string;
  /** Whose share of the machine the answer uses: the account, or the address block of a visitor. */
  client: string;
  /** Whether the sender may still have the file. An answer can take as long as the film. */
  isStillOpen(): Promise<boolean>;
};

const permissions = new LRUCache<string, FilmPermission>({
  // The name of a file comes from the address, which can have 16 KB.
  maxSize: mebibytes(4),
  sizeCalculation: ({ file }, key) => key.length + (file?.length ?? 0) + 400,
});
const permissionMs = seconds(5);
/** While the database does not answer, admitted senders may continue to watch for this time. */
const lastingPermissionMs = minutes(10);

/**
 * The profile of each recently admitted sender. Each profile has its own counter, so a household at one address has
 * several.
 */
const chargedProfiles = createSparseLru<string, string>({ max: 10_000, ttl: minutes(10) });

/** The limiter of every route that sends bytes of a film. Reads by the proxies inside the process are not counted. */
export const filmLimited = limited("film", {
  by: async ({ request, context, params }) => {
    if (context.get(insideRequestContext)) return null;
    const sender = await findSender({ request, context, pass: params.pass });
    return sender === null ? undefined : chargedProfiles.get(sender);
  },
});

const findSender = async ({ request, context, pass }: FilmRequest): Promise<string | null> =>
  pass ?? bearerToken(request) ?? (await readSessionSecret(request, context));

/**
 * Admits the sender to a file. Throws 401 for visitors who may not have it, and 404 for members. Neither answer reveals
 * whether the file exists.
 */
export async function requireFilm(wanted: WantedFile, received: FilmRequest): Promise<AdmittedRequest> {
  const { context, pass } = received;
  const sender = await findSender(received);
  const holder = pass === undefined ? undefined : requirePass(pass, wanted);
  const isVisitor = sender === null && !seesFilms(visitorViewer(context, false));
  // A stranger's guesses cost no query. While the database does not answer, admitted senders may continue.
  if (isVisitor && !(await isForEverybody(wanted).catch(() => true))) throw fail("unauthorized");
  const { isFromOwnMachine, ip } = context.get(clientContext);
  const key = JSON.stringify([sender, isFromOwnMachine, wanted.kind, wanted.name]);
  const { file, user } = await findPermission(key, sender !== null, () =>
    lookUp(wanted, received, holder ? findPassHolder(holder.userId, holder.generation) : undefined),
  );
  const isStranger = user === null && (filmsNeedSession || pass !== undefined);
  // The same text as for a file that does not exist.
  if (file === null) throw isStranger ? fail("unauthorized") : refusalResponse(noSuchFilmRefusal);
  // Only this machine may get the answer: no page of another site may read it, and no proxy may pass it on.
  if (user === null && env.FILMS === undefined && isFromOwnMachine)
    context.get(answerStateContext).isFromPrivateUpstream = true;
  if (sender !== null && user !== null) chargedProfiles.set(sender, `profile ${user.id}`);
  return {
    file,
    client: user === null ? ipBlockOf(ip) : `account ${user.accountId}`,
    isStillOpen: () => isStillOpen(key, wanted, received),
  };
}

async function findPermission(
  key: string,
  hasSender: boolean,
  find: () => Promise<FilmPermission>,
): Promise<FilmPermission> {
  const known = permissions.get(key);
  const ageMs = known ? Date.now() - known.at : Number.POSITIVE_INFINITY;
  if (known && ageMs < permissionMs) return known;
  try {
    const permission = await find();
    permissions.set(key, permission);
    return permission;
  } catch (error) {
    if (error instanceof Response) throw error;
    if (known && ageMs < lastingPermissionMs) return known;
    // Without a session nobody is admitted, so the database is not needed.
    if (!hasSender && filmsNeedSession) throw fail("unauthorized");
    logFailure("could not find out who may watch a film", error);
    throw fail("overloaded", "The database does not answer; try again shortly");
  }
}

/** Looks the session up again, because the request caches it. */
async function isStillOpen(key: string, wanted: WantedFile, received: FilmRequest): Promise<boolean> {
  const { request, context, pass } = received;
  async function findAgain() {
    if (pass !== undefined) {
      const holder = requirePass(pass, wanted);
      return findPassHolder(holder.userId, holder.generation);
    }
    const token = bearerToken(request);
    if (token !== null) return (await findTokenUser(token))?.user ?? null;
    const secret = await readSessionSecret(request, context);
    return secret === null ? null : ((await findSession(secret))?.user ?? null);
  }
  try {
    return (await findPermission(key, true, () => lookUp(wanted, received, findAgain()))).file !== null;
  } catch (error) {
    // A 401 means that the signed address has expired. Other errors say nothing about the right to the film.
    return !(error instanceof Response && error.status === 401);
  }
}

const endedText = "This address has ended. Get a new one on the page of the episode";

function requirePass(pass: string, wanted: WantedFile) {
  const read = readPass(pass, wanted);
  if (read === null) throw fail("unauthorized", endedText);
  return read;
}

/** `holder` is the sender, if the request itself does not identify one. */
async function lookUp(
  wanted: WantedFile,
  { request, context, pass }: FilmRequest,
  holder: Promise<SessionUser | null> | undefined,
): Promise<FilmPermission> {
  const user = await (holder ?? findUserOrTokenUser(request, context));
  if (pass !== undefined && !user) return { file: null, user: null, at: Date.now() };
  const viewer = user ? viewerOf(user) : visitorViewer(context, false);
  const file = await findOpenFile(wanted, viewer);
  return { file, user: user && { id: user.id, accountId: user.accountId }, at: Date.now() };
}
