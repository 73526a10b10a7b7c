import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A program that stands in for ffmpeg where films are put into Matroska files. It notes each run, does with a film what the
 * test has said, and then becomes the real ffmpeg.
 */
export function heldFfmpeg(folder: string) {
  const program = join(folder, ".ffmpeg");
  const runs = join(folder, ".runs");
  const ffmpeg = execFileSync("sh", ["-c", "command -v ffmpeg"], { encoding: "utf8" }).trim();
  writeFileSync(runs, "");
  writeFileSync(
    program,
    `#!/bin/sh
film=$(basename "$(readlink /proc/$$/fd/3)")
case "$*" in *-progress*)
  echo "$$ $film" >> "${runs}"
  if [ -e "${folder}/.held-$film" ]; then printf half >&4; fi
  if [ -e "${folder}/.large-$film" ]; then head -c 50000000 /dev/zero >&4; fi
  while [ -e "${folder}/.held-$film" ]; do sleep 0.1; done;;
esac
exec ${ffmpeg} "$@"
`,
  );
  chmodSync(program, 0o755);
  const mark = (kind: string) => (film: string) => writeFileSync(join(folder, `.${kind}-${film}`), "");
  return {
    program,
    /** ffmpeg writes a few bytes, and waits until the film is released. */
    hold: mark("held"),
    release: (film: string) => rmSync(join(folder, `.held-${film}`), { force: true }),
    /** ffmpeg writes 50 MB before anything else. */
    swell: mark("large"),
    /** The ids of the processes that were to make the film's file. */
    runsOf: (film: string): number[] =>
      readFileSync(runs, "utf8")
        .split("\n")
        .filter((line) => line.endsWith(` ${film}`))
        .map((line) => Number(line.split(" ")[0])),
  };
}
