import { prepare } from "./prepare.mjs";

/** `npm run build`: dependencies and build brought up to date, and no more. */
await prepare();
