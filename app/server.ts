import { application } from "./application.server.ts";
import { runProcess } from "./process.server.ts";

/** `npm start`: the built site. */
await runProcess(application);
