import { prepare } from "./prepare.mjs";

/** `npm run build` installs the dependencies and builds, if they are missing or out of date. */
await prepare();
