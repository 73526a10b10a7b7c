import { LRUCache } from "lru-cache";
import { findPassHolder } from "#app/domain/accounts/accounts.server.ts";
import { findOpenFile, type WantedFile } from "#app/domain/streaming/streaming.server.ts";
import { bearerToken } from "#app/http/access/bearer-token.ts";
import { findUserOrTokenUser } from "#app/http/access/guard.server.ts";
import { readSessionSecret } from "#app/http/access/session-cookie.server.ts";
import { answerStateContext, type Context, clientContext } from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { asMedia, type Sharing, withApiOrigins } from "#app/http/sharing.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { readPass } from "./film-pass.server.ts";
import { filmsNeedSession, viewerOf, visitorViewer } from "./viewer.server.ts";

/**
 * The door of the films: every route with bytes of a film passes it. A browser passes by its session, another player by the
 * pass in a signed address. What was found out is kept for some seconds, because a player asks for many parts of a film.
 */

/** Pages of other sites may show films only if everybody may. */
export const filmSharing: Sharing = filmsNeedSession ? withApiOrigins : asMedia;
export const mediaFolderSharing: Sharing = { ...filmSharing, isReadByProxies: true };

/** `pass`: the one in a signed address, for a player without a session. */
type Received = { request: Request; context: Context; pass?: string | undefined };
type Pass = { file: string | null; isSignedIn: boolean; at: number };

const passes = new LRUCache<string, Pass>({ max: 10_000 });
const passMs = seconds(5);
/** While the database does not answer, films go on for those who were let in before. */
const lastingPassMs = minutes(10);

/**
 * What `findOpenFile` finds for the sender of the request. Throws 401 for visitors who may not have it, and 404 for
 * members: neither learns whether it exists.
 */
export async function requireFilm(wanted: WantedFile, received: Received): Promise<string> {
  const { request, context, pass } = received;
  const sender = pass ?? bearerToken(request) ?? (await readSessionSecret(request, context));
  const holder = pass === undefined ? undefined : requirePass(pass, wanted);
  const { isFromOwnMachine } = context.get(clientContext);
  const key = JSON.stringify([sender, isFromOwnMachine, wanted.kind, wanted.name]);
  const { file, isSignedIn } = await findPass(key, sender !== null, () => lookUp(wanted, received, holder));
  const isStranger = !isSignedIn && (filmsNeedSession || pass !== undefined);
  // The words are those for a file that does not exist.
  if (file === null) throw isStranger ? fail("unauthorized") : fail("not_found", "No such film");
  // Such an answer is for this machine alone: no page of another site may read it, and no proxy may pass it on.
  if (!isSignedIn && env.FILMS === undefined && isFromOwnMachine)
    context.get(answerStateContext).isFromPrivateUpstream = true;
  return file;
}

async function findPass(key: string, hasSender: boolean, find: () => Promise<Pass>): Promise<Pass> {
  const known = passes.get(key);
  const ageMs = known ? Date.now() - known.at : Number.POSITIVE_INFINITY;
  if (known && ageMs < passMs) return known;
  try {
    const pass = await find();
    passes.set(key, pass);
    return pass;
  } catch (error) {
    if (error instanceof Response) throw error;
    if (known && ageMs < lastingPassMs) return known;
    // Nobody without a session gets in, so the database need not be asked.
    if (!hasSender && filmsNeedSession) throw fail("unauthorized");
    log.error("could not find out who may watch a film", errorFields(error));
    throw fail("overloaded", "The database does not answer; try again shortly");
  }
}

const endedText = "This address has ended. Get a new one on the page of the episode";

function requirePass(pass: string, wanted: WantedFile) {
  const read = readPass(pass, wanted);
  if (read === null) throw fail("unauthorized", endedText);
  return read;
}

async function lookUp(
  wanted: WantedFile,
  { request, context }: Received,
  holder: ReturnType<typeof requirePass> | undefined,
): Promise<Pass> {
  const user = holder
    ? await findPassHolder(holder.userId, holder.generation)
    : await findUserOrTokenUser(request, context);
  if (holder && !user) return { file: null, isSignedIn: false, at: Date.now() };
  const viewer = user ? viewerOf(user) : visitorViewer(context, false);
  return { file: await findOpenFile(wanted, viewer), isSignedIn: user !== null, at: Date.now() };
}
