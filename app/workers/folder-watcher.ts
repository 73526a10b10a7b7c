import { parentPort, workerData } from "node:worker_threads";
import { watchFolders } from "#app/domain/scanning/scan/folder-events.ts";

/** A worker thread that watches MEDIA_DIR: going through a large folder would keep the main thread from answering. */
watchFolders(String(workerData), (message) => parentPort?.postMessage(message));
