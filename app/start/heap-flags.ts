import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { heapFlags } from "#app/platform/process/memory-plan.ts";

/** Prints the arguments with which Node must start the site. V8 fixes the size of its heap before it runs any code. */
process.stdout.write(`${heapFlags(memoryPlan).join(" ")}\n`);
