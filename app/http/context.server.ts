import type { Readable } from "node:stream";
import { createContext, type RouterContextProvider } from "react-router";
import type { CachePolicy } from "./cache-policy.server.ts";
import type { ErrorShape } from "./endpoint/error-response.server.ts";
import type { Answer } from "./pipeline/answer.server.ts";

/** What the process knows of a request before any route runs; the adapter (or a test) puts it in. */
type Client = {
  /** The client's IP address: the connection's, or what TRUST_PROXY proxies say. */
  ip: string;
  /** Names this request in logs and on error pages. */
  requestId: string;
  /** Our own origin as the client sees it; absolute URLs are made from it. */
  origin: string;
  /** Local mode and a loopback peer: this request may name loopback upstreams. */
  mayReachLoopback: boolean;
  /** For `<script nonce>` and `<style nonce>` of this answer. */
  nonce: string;
};

export const clientContext = createContext<Client>();

/** What counts requests of one kind for one client, and refuses those over the limit. Routes declare their own. */
export type Limiter = {
  /** Each name counts for itself. */
  name: string;
  /** How many requests one client may send in a window. */
  maxRequests: number;
  /** How a refusal is written, where the endpoint has an error shape of its own. */
  errorShape?: ErrorShape;
  /** Logged at the first refusal, where the operator may want to raise the limit. */
  hint?: string;
};

/** Side notes a route leaves for the server around it. One object a request, filled in place. */
export type AnswerNotes = {
  /** The route that the router chose, as routes.ts spells its path. */
  pattern?: string;
  /** A large body that the adapter pipes to the socket around web streams. */
  nodeBody?: Readable | Buffer;
  /** The limiter that counted this request, so that the public cache charges the same one. */
  limiter?: Limiter;
  /** The policy that the route named for this answer. */
  cache?: CachePolicy;
  /** Fetched from a private upstream in local mode: no other origin may read it, and no cache keep it. */
  isFromPrivateUpstream?: boolean;
};

export const answerNotesContext = createContext<AnswerNotes>();

/** Asks the site itself, around the network. Null: this address is not shared with the proxies. */
export type AskInside = (
  method: "GET" | "HEAD",
  pathAndQuery: string,
  headers: Record<string, string>,
) => Promise<Answer | null>;

/** What the root's loader tells every page, for whoever refuses one before loaders run. */
export const siteDataContext = createContext<() => Promise<unknown>>();

export const insideContext = createContext<AskInside>();

export type Context = Readonly<RouterContextProvider>;
