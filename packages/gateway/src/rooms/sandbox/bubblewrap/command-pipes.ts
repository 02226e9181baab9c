// The gateway's ends of a command's pipes. They are opened before the inside hears of them.
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Pipes } from "./pipe-stock.ts";

export interface CommandPipes {
  readonly outputs: readonly Socket[];
  readonly input: Socket | undefined;
  /** The command holds its own ends: from now on their end is the end of the pipes. */
  letGo(): void;
}

const { O_NONBLOCK, O_NOFOLLOW, O_RDONLY, O_RDWR, O_WRONLY } = constants;

/** Nothing in here waits for the inside: every end is opened without blocking. */
export function openPipes(pipes: Pipes, takesInput: boolean): CommandPipes {
  const opened: number[] = [];
  const open = (path: string, flags: number): number => {
    const end = openSync(path, flags | O_NONBLOCK | O_NOFOLLOW);
    opened.push(end);
    return end;
  };
  try {
    const outputs = [pipes.out, pipes.err].map((path) => open(path, O_RDONLY));
    // A pipe that nobody holds for writing is at its end, one that nobody reads cannot be opened for writing.
    const keepers = [pipes.out, pipes.err].map((path) => open(path, O_WRONLY));
    if (takesInput) keepers.push(open(pipes.in, O_RDWR));
    const input = takesInput ? open(pipes.in, O_WRONLY) : undefined;
    return {
      outputs: outputs.map((fd) => new Socket({ fd, readable: true, writable: false })),
      input: input === undefined ? undefined : new Socket({ fd: input, readable: false, writable: true }),
      letGo: () => keepers.splice(0).forEach((fd) => closeSync(fd)),
    };
  } catch (error) {
    for (const fd of opened) closeSync(fd);
    throw error;
  }
}
