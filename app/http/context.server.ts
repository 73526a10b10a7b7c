import type { Readable } from "node:stream";
import { createContext, type RouterContextProvider } from "react-router";
import type { Answer } from "./answer.server.ts";
import type { LimiterName } from "./limiters.server.ts";

/** What the process knows of a request before any route runs; the adapter (or a test) puts it in. */
export type Client = {
  /** The client's address: the connection's, or what TRUST_PROXY proxies say. */
  address: string;
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

/** Side notes a route leaves for the server around it. One object a request, filled in place. */
export type AnswerNotes = {
  /** A large body that the adapter pipes to the socket around web streams. */
  nodeBody?: Readable | Buffer;
  /** The limiter that counted this request, so that the public cache charges the same one. */
  limiter?: LimiterName;
  /** The route declared this answer public: the same for everybody while fresh. */
  isPublic?: boolean;
  /** Our own cache keeps it no longer than this, whatever browsers may. */
  keptForMs?: number;
  /** Fetched from a private upstream in local mode: no other origin may read it, and no cache keep it. */
  isFromPrivateUpstream?: boolean;
};

export const answerNotesContext = createContext<AnswerNotes>();

/** Asks the site itself, around the network: how a proxy reads what is our own. */
export type Inside = (
  method: "GET" | "HEAD",
  pathAndQuery: string,
  headers: Record<string, string>,
) => Promise<Answer>;

/** What the root's loader tells every page, for whoever refuses one before loaders run. */
export const siteContext = createContext<() => Promise<unknown>>();

export const insideContext = createContext<Inside>();

export type Context = Readonly<RouterContextProvider>;
