import { parentPort } from "node:worker_threads";
import bcrypt from "bcryptjs";

// Plain JavaScript, because Node loads a worker's file without Vite: from the sources in development, else from the build.
parentPort?.on("message", ({ password, hash, cost }) => {
  parentPort?.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
});
