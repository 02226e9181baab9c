// The program of a thread that runs the model. What it cannot load ends it, and whoever started it hears why.
import { parentPort, workerData } from "node:worker_threads";
import { openModelSession, type SessionWish } from "./model-session.ts";
import type { FromThread, ToThread } from "./thread-messages.ts";

if (!parentPort) throw new Error("This is the program of a thread");
const port = parentPort;
const tell = (message: FromThread): void => port.postMessage(message);

const { embed, ...about } = await openModelSession(workerData as SessionWish);
port.on("message", ({ id, text }: ToThread) => {
  embed(text).then(
    (vector) => tell({ kind: "embedded", id, vector }),
    (error: unknown) => tell({ kind: "failed", id, why: String(error) }),
  );
});
tell({ kind: "ready", ...about });
