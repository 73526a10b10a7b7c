import { runProcess } from "./process.server.ts";
import { application } from "./site.server.ts";

/** `npm start`: the built site. */
await runProcess(application);
