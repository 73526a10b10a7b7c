import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { afterEach, describe, expect, test, vi } from "vitest";

const listenersBefore = process.listeners("exit");
const { endChild, endIfSilent, killAtExit } = await import("#app/platform/process/child-life.server.ts");
const listener = process.listeners("exit").find((one) => !listenersBefore.includes(one));

/** Runs this code, and returns once it has said something. */
async function start(code: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return child;
}

const busyCode = `process.on("SIGTERM", () => {}); require("node:fs").writeSync(1, "busy"); for (;;);`;

describe("a child that the site ends", () => {
  test("may react to SIGTERM", async () => {
    const child = await start(
      `process.on("SIGTERM", () => process.exit(7)); console.log("idle"); setInterval(() => {}, 9e5)`,
    );
    // The child has as long as it needs.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await endChild(child);
    expect(child).toMatchObject({ exitCode: 7, signalCode: null });
  });

  test("is killed if it is too busy to react", async () => {
    const child = await start(busyCode);
    await endChild(child);
    expect(child.signalCode).toBe("SIGKILL");
  });

  test("is killed when the site exits first", async () => {
    const child = await start(busyCode);
    killAtExit(child);
    listener?.(0);
    await once(child, "close");
    expect(child.signalCode).toBe("SIGKILL");
  });
});

describe("a child that should send beats", () => {
  const minute = 60_000;

  function watch() {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const kill = vi.fn();
    const child = Object.assign(new EventEmitter(), { kill });
    const onKill = vi.fn();
    endIfSilent(child as unknown as ChildProcess, onKill);
    return { child, kill, onKill };
  }

  test("is killed five minutes after its last one, and the log can say where it was", () => {
    const { child, kill, onKill } = watch();
    vi.advanceTimersByTime(4 * minute);
    child.emit("message", { at: "Show/Season 2" });
    vi.advanceTimersByTime(4 * minute);
    expect(kill).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2 * minute);
    expect(kill).toHaveBeenCalledExactlyOnceWith("SIGKILL");
    expect(onKill).toHaveBeenCalledExactlyOnceWith("Show/Season 2");
  });

  test("may run for hours as long as it sends them", () => {
    const { child, kill } = watch();
    for (let minutes = 0; minutes < 300; minutes++) {
      vi.advanceTimersByTime(minute);
      child.emit("message", { at: "" });
    }
    expect(kill).not.toHaveBeenCalled();
  });

  test("is not killed after its end", () => {
    const { child, kill, onKill } = watch();
    child.emit("close", 0, null);
    vi.advanceTimersByTime(60 * minute);
    expect(kill).not.toHaveBeenCalled();
    expect(onKill).not.toHaveBeenCalled();
  });
});

afterEach(() => void vi.useRealTimers());
