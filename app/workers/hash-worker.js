import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import bcrypt from "bcryptjs";

// A password takes up to 200 ms. The thread that answers all requests goes first. On Linux each thread has its own
// priority; elsewhere this would slow down the server too.
if (process.platform === "linux") setPriority(workerData.isForStrangers ? 10 : 5);

// Plain JavaScript, because Node loads a worker's file without Vite: from the sources in development, otherwise from
// the build.
parentPort?.on("message", ({ password, hash, cost }) => {
  parentPort?.postMessage(hash ? bcrypt.compareSync(password, hash) : bcrypt.hashSync(password, cost));
});
