// Starts the scripted model server and asks it for its own times.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface ModelProcess {
  readonly port: number;
  /** Milliseconds per mark since the last asking. */
  took(): Promise<ReadonlyMap<string, number>>;
  /** When requests came, in milliseconds of the epoch, per mark since the last asking. */
  arrived(): Promise<ReadonlyMap<string, number>>;
  /** Bytes of the newest request. */
  newestSize(): Promise<number>;
  stop(): Promise<void>;
}

export async function startModel(): Promise<ModelProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "model-server.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const port = Number(line.toString());
  const ask = async (what: string): Promise<ReadonlyMap<string, number>> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${what}`);
    return new Map(Object.entries((await answer.json()) as Record<string, number>));
  };
  return {
    port,
    took: () => ask("took"),
    arrived: () => ask("arrived"),
    async newestSize() {
      return Number(await (await fetch(`http://127.0.0.1:${port}/size`)).text());
    },
    async stop() {
      const exited = once(child, "exit");
      child.kill();
      await exited;
    },
  };
}
