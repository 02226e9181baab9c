// Explains what went wrong with a file, in a sentence for the model and the person.
import { GatewayError, type ErrorCode } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

const SENTENCES: Readonly<Record<string, string>> = {
  EACCES: "the system denies access to it",
  EPERM: "the system denies access to it",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long for the file system",
  EMFILE: "too many files are open; try again in a moment",
  ENFILE: "too many files are open; try again in a moment",
  EIO: "the disk reports an error",
  ELOOP: "it was replaced by a link at this very moment; try again",
  ENOENT: "it vanished at this very moment; try again",
  ENOTDIR: "a directory on the way was replaced at this very moment; try again",
  EISDIR: "a directory has taken its place",
  EEXIST: "something has taken its place",
};

/** Keeps our own failures and aborts as they are; a system error gets a sentence and never shows its own text. */
export function fileFailure(thrown: unknown, code: ErrorCode, doing: string): unknown {
  const errno = errnoOf(thrown);
  if (errno === undefined || GatewayError.is(thrown)) return thrown;
  return new GatewayError(code, `${doing}: ${SENTENCES[errno] ?? `the system says ${errno}`}.`, { cause: thrown });
}
