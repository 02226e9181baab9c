// `chela gateway run`: starts the gateway in this process and keeps it until it is told to stop.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startGateway, type RunningGateway, type StartOptions } from "../main.ts";

export interface RunOptions extends Omit<StartOptions, "pageRoot" | "console"> {
  print(text: string): void;
  printError(text: string): void;
}

const SETTLE_MS = 1000;

/** Resolves with the exit code once the gateway has stopped. */
export async function runGateway(options: RunOptions): Promise<number> {
  for (;;) {
    const gateway = await startGateway({
      ...options,
      console: (text) => options.printError(text),
      pageRoot: join(dirname(fileURLToPath(import.meta.url)), "page"),
    });
    const forget = stopOnSignals(gateway);
    options.print(`Chela listens on http://127.0.0.1:${gateway.port}`);
    settleAfterStart();
    const next = await gateway.done;
    forget();
    if (next === "stop") return 0;
  }
}

/** The second signal does not wait for turns to finish: what is not answered is taken up at the next start. */
function stopOnSignals(gateway: RunningGateway): () => void {
  let asked = false;
  const stop = (): void => {
    if (asked) process.exit(130);
    asked = true;
    void gateway.stop("stop");
  };
  const restart = (): void => void gateway.stop("restart");
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGUSR1", restart);
  return () => void process.off("SIGINT", stop).off("SIGTERM", stop).off("SIGUSR1", restart);
}

/**
 * Asks V8 to keep the heap small: the live heap of a gateway is a few megabytes, but by default the space for new
 * objects grows to 64. Not before the start, which would be slower for it.
 * Node writes its code cache on a clean exit only; a gateway that is killed should start fast the next time too.
 */
function settleAfterStart(): void {
  process.getBuiltinModule("node:v8").setFlagsFromString("--memory-saver-mode");
  setTimeout(() => process.getBuiltinModule("node:module").flushCompileCache(), SETTLE_MS).unref();
}
