// What is done once a start is over: the code it compiled is kept for the next one, and V8 is told to be frugal.
import type { KeepCompiled } from "../base/kept-script.ts";

/** Given by the build, at a start that had to compile what it runs (see base/kept-script.ts). */
declare const keepCompiled: KeepCompiled | undefined;

/** By then the first client was greeted: what that takes is kept, too. */
const SETTLE_MS = 1500;

/**
 * The live heap of a gateway is some 20 MB, and V8 is asked to stay near it: the space for new objects keeps its size
 * (it would grow to 64 MB), old objects are collected when they have grown by a fifth, and what is left is moved together
 * then, so that pages that are half empty go back to the system. The middle compiler, whose working memory is never given
 * back, stays off; the first compiler, which needs little, does more instead. All that costs half a millisecond a turn.
 * Not before the start, whose cached code would not fit these flags.
 */
const FRUGAL_FLAGS = [
  "--semi-space-growth-factor=1",
  "--heap-growing-percent=20",
  "--optimize-for-size",
  "--compact-on-every-full-gc",
  "--no-maglev",
  "--always-sparkplug",
];

export interface Settling {
  /** After a start. */
  begin(): void;
  /** The gateway stopped, perhaps before anything was done. */
  end(): void;
}

/** For a process: what is begun again after a restart in it is done already. */
export function createSettling(): Settling {
  const keep = typeof keepCompiled === "function" ? keepCompiled : undefined;
  let isSettled = false;
  const settle = (): void => {
    if (isSettled) return;
    isSettled = true;
    keep?.();
    const { setFlagsFromString } = process.getBuiltinModule("node:v8");
    for (const flag of FRUGAL_FLAGS) setFlagsFromString(flag);
  };
  return {
    begin() {
      if (!keep) settle();
      setTimeout(() => {
        settle();
        // Node writes its own cache on a clean exit only; a gateway that is killed should start fast the next time too.
        process.getBuiltinModule("node:module").flushCompileCache();
      }, SETTLE_MS).unref();
    },
    end: settle,
  };
}
