import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/** The site loads this module before its own code. It directs all DNS queries to a server that never answers. */

const { Resolver } = dns.promises;
dns.promises.Resolver = class extends Resolver {
  constructor(options) {
    super(options);
    this.setServers([process.env.SILENT_NAME_SERVER]);
  }
};
syncBuiltinESMExports();
