import { parentPort, workerData } from "node:worker_threads";
import { watchFolders } from "#app/domain/scanning/scan/folder-events.ts";

/** A worker thread that watches MEDIA_DIR. Walking a large folder would block the main thread. */
watchFolders(String(workerData), (message) => parentPort?.postMessage(message));
