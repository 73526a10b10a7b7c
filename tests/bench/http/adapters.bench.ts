import { resolve } from "node:path";
import type { Bench } from "#tests/bench/bench.ts";
import { requestsPerSecond } from "#tests/bench/measuring/http-load.ts";
import { mediansInTurns } from "#tests/bench/measuring/median.ts";
import { installPeers } from "#tests/bench/measuring/peers.ts";
import { type Served, start } from "#tests/bench/measuring/servers.ts";

/** Compares our adapter with @react-router/express on the same route. */
const bench: Bench = {
  title: "Adapters: one resource route of React Router, one process, 32 connections",
  async run() {
    const folder = await installPeers({
      express: "5.2.1",
      "@react-router/express": "7.18.4",
      "@react-router/node": "7.18.4",
      "react-router": "7.18.4",
      react: "19.3.1",
      "react-dom": "19.3.1",
    });
    const startBehind = (adapter: string) =>
      start([resolve("tests/bench/http/adapter-peers.mjs"), adapter, folder], {
        NODE_ENV: "production",
        // The express adapter does not log requests, so ours must not either.
        LOG_LEVEL: "warn",
      });
    const [express, ours] = [await startBehind("express"), await startBehind("ours")];
    const measure =
      ({ origin }: Served) =>
      () =>
        requestsPerSecond(origin, { path: "/plain" });
    const rate = await mediansInTurns(5, { express: measure(express), ours: measure(ours) });
    await Promise.all([express, ours].map((server) => server.stop()));
    const unit = "requests/s";
    return [
      { label: "behind @react-router/express", value: rate.express, unit },
      { label: "behind our adapter", value: rate.ours, unit, baseline: rate.express },
    ];
  },
};
export default bench;
