import { LRUCache } from "lru-cache";
import { findPassHolder, findSession } from "#app/domain/accounts/accounts.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import { seesFilms } from "#app/domain/catalog/catalog.server.ts";
import { findOpenFile, isForEverybody, type WantedFile } from "#app/domain/playback/playback.server.ts";
import { findTokenUser } from "#app/domain/sign-in/sign-in.server.ts";
import {
  answerStateContext,
  type Context,
  clientContext,
  insideRequestContext,
} from "#app/http/context.server.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { bearerToken } from "#app/http/guards/bearer-token.ts";
import { findUserOrTokenUser } from "#app/http/guards/guard.server.ts";
import { readSessionSecret } from "#app/http/guards/session-cookie.server.ts";
import { asMedia, type Sharing, withApiOrigins } from "#app/http/sharing.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { readPass } from "./film-pass.server.ts";
import { limited } from "./limits.server.ts";
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
type Pass = { file: string | null; profile: string | null; at: number };

/** What was let in. */
type OpenedDoor = {
  /** What `findOpenFile` finds. */
  file: string;
  /** Whose share of the machine the answer takes: the profile, or the client of a visitor. */
  client: string;
  /** Whether the sender may still have it: an answer can take as long as the film. */
  isStillOpen(): Promise<boolean>;
};

const passes = new LRUCache<string, Pass>({ max: 10_000 });
const passMs = seconds(5);
/** While the database does not answer, films go on for those who were let in before. */
const lastingPassMs = minutes(10);

/** Who let themselves in lately, so that a profile has its own counter, and a household at one address one for each. */
const payers = new LRUCache<string, string>({ max: 10_000, ttl: minutes(10) });

/** The limiter of every route with bytes of a film, but for what the proxies read inside the process. */
export const filmLimited = limited("film", {
  by: async ({ request, context, params }) => {
    if (context.get(insideRequestContext)) return null;
    const sender = await findSender({ request, context, pass: params.pass });
    return sender === null ? undefined : payers.get(sender);
  },
});

const findSender = async ({ request, context, pass }: Received): Promise<string | null> =>
  pass ?? bearerToken(request) ?? (await readSessionSecret(request, context));

/**
 * Lets the sender of the request have a file. Throws 401 for visitors who may not have it, and 404 for members: neither
 * learns whether it exists.
 */
export async function requireFilm(wanted: WantedFile, received: Received): Promise<OpenedDoor> {
  const { context, pass } = received;
  const sender = await findSender(received);
  const holder = pass === undefined ? undefined : requirePass(pass, wanted);
  const isVisitor = sender === null && !seesFilms(visitorViewer(context, false));
  // No query for each guess of a stranger. Without the database, what was let in before goes on.
  if (isVisitor && !(await isForEverybody(wanted).catch(() => true))) throw fail("unauthorized");
  const { isFromOwnMachine, ip } = context.get(clientContext);
  const key = JSON.stringify([sender, isFromOwnMachine, wanted.kind, wanted.name]);
  const found = await findPass(key, sender !== null, () =>
    lookUp(wanted, received, holder ? findPassHolder(holder.userId, holder.generation) : undefined),
  );
  const { file, profile } = found;
  const isStranger = profile === null && (filmsNeedSession || pass !== undefined);
  // The words are those for a file that does not exist.
  if (file === null) throw isStranger ? fail("unauthorized") : fail("not_found", "No such film");
  // Such an answer is for this machine alone: no page of another site may read it, and no proxy may pass it on.
  if (profile === null && env.FILMS === undefined && isFromOwnMachine)
    context.get(answerStateContext).isFromPrivateUpstream = true;
  if (sender !== null && profile !== null) payers.set(sender, `profile ${profile}`);
  return {
    file,
    client: profile === null ? ipBlockOf(ip) : `profile ${profile}`,
    isStillOpen: () => isStillOpen(key, wanted, received),
  };
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

/** Asks anew: the request remembers its session. */
async function isStillOpen(key: string, wanted: WantedFile, received: Received): Promise<boolean> {
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
    return (await findPass(key, true, () => lookUp(wanted, received, findAgain()))).file !== null;
  } catch (error) {
    // An address that has ended is refused. Anything else says nothing about the right to the film.
    return !(error instanceof Response && error.status === 401);
  }
}

const endedText = "This address has ended. Get a new one on the page of the episode";

function requirePass(pass: string, wanted: WantedFile) {
  const read = readPass(pass, wanted);
  if (read === null) throw fail("unauthorized", endedText);
  return read;
}

/** `holder`: who the sender is, if the request does not say it. */
async function lookUp(
  wanted: WantedFile,
  { request, context, pass }: Received,
  holder: Promise<SessionUser | null> | undefined,
): Promise<Pass> {
  const user = await (holder ?? findUserOrTokenUser(request, context));
  if (pass !== undefined && !user) return { file: null, profile: null, at: Date.now() };
  const viewer = user ? viewerOf(user) : visitorViewer(context, false);
  return { file: await findOpenFile(wanted, viewer), profile: user?.id ?? null, at: Date.now() };
}
