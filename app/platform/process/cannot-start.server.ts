/**
 * An error that the operator has to fix before the site can start. Only its message is printed, because a stack would
 * hide it. The message is one line that names the cause and the remedy.
 */
export class CannotStart extends Error {
  override name = "CannotStart";
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code;

export const diskFull = (what: string, path: string) =>
  new CannotStart(`The disk is full. ${what} (${path}) needs more space. Free some space and start again.`);

/** Turns a file system's error that the operator can fix into a CannotStart. Returns every other error unchanged. */
export function explainFileError(error: unknown, what: string, path: string): unknown {
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
    case "EISDIR":
      return new CannotStart(`${what} (${path}) is a folder. Name a file.`);
    case "ENOTDIR":
    case "EEXIST":
      return new CannotStart(`${what} (${path}) is not a folder. Choose another one.`);
    case "ENOENT":
    case "EINVAL":
    case "ENOSYS":
    case "ENOTSUP":
      return new CannotStart(
        `${what} (${path}) is on a file system that cannot hold it. Choose another folder.`,
      );
    default:
      return error;
  }
}

/** Prints one line if the operator can fix the error, and the stacks of it and of its causes if it is a bug. */
export function printError(error: unknown): void {
  process.stderr.write(`${error instanceof CannotStart ? error.message : stacksOf(error)}\n`);
}

function stacksOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? `${error.stack}` : `${error.stack}\nbecause of ${stacksOf(error.cause)}`;
}

export function endProcess(error: unknown): never {
  printError(error);
  process.exit(1);
}
