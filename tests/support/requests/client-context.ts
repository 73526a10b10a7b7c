import { RouterContextProvider } from "react-router";
import { clientContext } from "#app/http/context.server.ts";

/** The context of a request from a client that never leaves, for calling functions of the server without a server. */
export function contextOfClient({ ip = "127.0.0.1", origin = "http://engawa.test" } = {}) {
  const context = new RouterContextProvider();
  context.set(clientContext, {
    ip,
    origin,
    arrivedAt: performance.now(),
    requestId: "",
    nonce: "",
    mayReachLoopback: false,
    isFromOwnMachine: false,
    signal: () => new AbortController().signal,
  });
  return context;
}
