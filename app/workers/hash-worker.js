import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import bcrypt from "bcryptjs";

// On Linux each thread has its own priority; elsewhere this would slow down the server too.
if (workerData.isForStrangers && process.platform === "linux") setPriority(5);

// Plain JavaScript, because Node loads a worker's file without Vite: from the sources in development, otherwise from
// the build.
parentPort?.on("message", ({ password, hash, cost }) => {
  parentPort?.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
});
