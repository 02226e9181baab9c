// `chela gateway run`: starts the gateway in this process and keeps it until it is told to stop.
import { defined } from "@chela/sdk/base";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Terminal } from "@chela/sdk/command-line";
import { bindSettings } from "../../rooms/config/room.ts";
import { startGateway, type RunningGateway, type StartOptions } from "../../main.ts";
import { printBanner } from "./gateway-banner.ts";
import { removeRunningNote, writeRunningNote } from "../connect/running-file.ts";

export interface RunOptions extends Omit<StartOptions, "pageRoot" | "console"> {
  readonly terminal: Terminal;
}

const SETTLE_MS = 1500;

/** Resolves with the exit code once the gateway has stopped. */
export async function runGateway(options: RunOptions): Promise<number> {
  const { terminal, ...start } = options;
  let { port } = options;
  const signals = listenForSignals(terminal);
  for (;;) {
    const gateway = await startGateway({
      ...start,
      ...defined({ port }),
      console: (text) => terminal.note(text),
      pageRoot: join(dirname(fileURLToPath(import.meta.url)), "page"),
    });
    signals.serve(gateway);
    const unguard = surviveForgottenFailures(gateway);
    // A free port that was chosen once stays the same when the configuration asks for a new start.
    if (port === 0) port = gateway.port;
    const bind = options.bind ?? bindSettings(gateway.config.current()).bind;
    const host = reachableHost(gateway);
    tellClients(gateway, host, options);
    const scheme = gateway.config.current().gateway?.tls?.enabled ? "https" : "http";
    const url = `${scheme}://${host}:${gateway.port}`;
    void printBanner(gateway, terminal, { url, bind });
    settleAfterStart();
    const next = await gateway.done;
    unguard();
    removeRunningNote(gateway.paths.stateDir);
    if (next === "stop") {
      signals.forget();
      return 0;
    }
    terminal.print("Starting again.");
  }
}

/** An address of this machine under which it answers, as it stands in a URL. */
function reachableHost({ hosts }: RunningGateway): string {
  const here = ["127.0.0.1", "0.0.0.0", "::"];
  const [first] = hosts;
  if (first === undefined || hosts.some((host) => here.includes(host))) return "127.0.0.1";
  return first.includes(":") ? `[${first}]` : first;
}

/** Without the note clients look at the configured port, which is right nearly always. */
function tellClients({ paths, port, log }: RunningGateway, host: string, { auth }: RunOptions): void {
  try {
    writeRunningNote(paths.stateDir, {
      pid: process.pid,
      host,
      port,
      ...(auth?.token ? { token: auth.token } : {}),
      ...(auth?.password ? { password: auth.password } : {}),
    });
  } catch (error) {
    log.warn("clients may have to be told the port", { why: String(error) });
  }
}

/**
 * From the first moment on: one that comes while the gateway starts is obeyed when it has. The second signal does not
 * wait for turns to finish: what is not answered is taken up at the next start.
 */
function listenForSignals(terminal: Terminal): { serve(gateway: RunningGateway): void; forget(): void } {
  let running: RunningGateway | undefined;
  let asked: "stop" | "restart" | undefined;
  const obey = (): void => {
    const reason = running && asked;
    if (!reason) return;
    if (reason === "restart") asked = undefined;
    void running?.stop(reason);
    running = undefined;
  };
  const stop = (): void => {
    if (asked === "stop") process.exit(130);
    asked = "stop";
    if (terminal.isInteractive)
      terminal.print("\nStopping: running answers are finished first. Ctrl-C again does not wait.");
    obey();
  };
  const restart = (): void => {
    asked ??= "restart";
    obey();
  };
  process.on("SIGINT", stop).on("SIGTERM", stop).on("SIGUSR1", restart);
  return {
    serve(gateway) {
      running = gateway;
      obey();
    },
    forget: () => void process.off("SIGINT", stop).off("SIGTERM", stop).off("SIGUSR1", restart),
  };
}

/** A failure nobody waited for, in a hook or a library, ends no conversation: whatever matters is in the ledger. */
function surviveForgottenFailures({ log }: RunningGateway): () => void {
  const tell = (reason: unknown): void =>
    log.error("something failed that nobody waited for", {
      error: reason instanceof Error ? (reason.stack ?? reason.message) : String(reason),
    });
  process.on("unhandledRejection", tell);
  return () => void process.off("unhandledRejection", tell);
}

/**
 * The live heap of a gateway is some 20 MB, and V8 is asked to stay near it: the space for new objects keeps its size
 * (it would grow to 64 MB), and old objects are collected when they have grown by a fifth. They are not all moved together
 * each time: for that moment there would be two of them, 25 MB more. The optimizing compilers are off: their threads keep
 * the memory they worked with, which grows for many thousand turns, and turns wait for models, SQLite and sockets rather
 * than for our code (docs/decisions/2026-11-19-small-while-it-works.md has the figures). Not before the start, whose
 * cached code would not fit these flags.
 */
const FRUGAL_FLAGS = [
  "--semi-space-growth-factor=1",
  "--heap-growing-percent=20",
  "--optimize-for-size",
  "--no-maglev",
  "--no-turbofan",
];

/** Node writes its code cache on a clean exit only; a gateway that is killed should start fast the next time too. */
function settleAfterStart(): void {
  const { setFlagsFromString } = process.getBuiltinModule("node:v8");
  for (const flag of FRUGAL_FLAGS) setFlagsFromString(flag);
  setTimeout(() => process.getBuiltinModule("node:module").flushCompileCache(), SETTLE_MS).unref();
}
