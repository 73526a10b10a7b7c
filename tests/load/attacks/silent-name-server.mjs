import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/** Loaded into the site before its own code: names are asked of a server that never answers. */

const { Resolver } = dns.promises;
dns.promises.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.SILENT_NAME_SERVER]);
  }
};
syncBuiltinESMExports();
