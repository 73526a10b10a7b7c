import { parentPort } from "node:worker_threads";
import bcrypt from "bcryptjs";

// Plain JavaScript, because a thread loads its file with Node alone: from the source tree as well as from the build.
parentPort?.on("message", ({ password, hash, cost }) => {
  parentPort?.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
});
