/**
 * Something the operator has to mend before the product can run. The message is one whole line, cause and
 * remedy, and is all that is printed: a stack would bury it.
 */
export class CannotStart extends Error {
  override name = "CannotStart";
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;

export const diskFull = (what: string, path: string) =>
  new CannotStart(`The disk is full: ${what} (${path}) needs room. Free some and start again.`);

/** The one line for what file systems answer everywhere alike; anything else is passed on as it is. */
export function fileTrouble(error: unknown, what: string, path: string): unknown {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(what, path);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new CannotStart(
        `${what} (${path}) is not writable by this user. Change its owner, or choose another folder.`,
      );
    case "ENOTDIR":
    case "EEXIST":
      return new CannotStart(`${what} (${path}) is not a folder. Choose another one.`);
    default:
      return error;
  }
}

/** The last handler of a process: one line for what an operator can mend, everything for a defect. */
export function endProcess(error: unknown): never {
  const known = error instanceof CannotStart;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : error}\n`);
  process.exit(1);
}
