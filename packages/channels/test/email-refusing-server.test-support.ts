// A mail server that answers each recipient, or the mail to it, as a test wants: real ones cannot be made to.
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface RefusingServer extends AsyncDisposable {
  readonly port: number;
}

/** By the local part of the recipient: at which command it is answered with what. */
export type Refusals = Readonly<Record<string, { readonly at: "RCPT" | "DATA"; readonly answer: string }>>;

export async function startRefusingServer(refusals: Refusals): Promise<RefusingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    talk(socket, refusals);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function talk(socket: Socket, refusals: Refusals): void {
  let rest = "";
  let recipient = "";
  let isMail = false;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const refusalAt = (command: "RCPT" | "DATA"): string | undefined => {
    const refusal = refusals[recipient];
    return refusal?.at === command ? refusal.answer : undefined;
  };
  const answer = (line: string): void => {
    if (isMail) {
      if (line !== ".") return;
      isMail = false;
      return say(refusalAt("DATA") ?? "250 2.0.0 taken");
    }
    const [command = ""] = line.toUpperCase().split(/[ :]/, 1);
    if (command === "EHLO") return say("250-refusing.test\r\n250 AUTH PLAIN");
    if (command === "AUTH") return say("235 2.7.0 welcome");
    if (command === "DATA") {
      isMail = true;
      return say("354 go on");
    }
    if (command !== "RCPT") return say("250 2.0.0 ok");
    recipient = /<([^@>]*)/.exec(line)?.[1] ?? "";
    say(refusalAt("RCPT") ?? "250 2.1.5 ok");
  };
  say("220 refusing.test");
  socket.on("data", (bytes) => {
    const lines = (rest + bytes.toString()).split("\r\n");
    rest = lines.pop() ?? "";
    lines.forEach(answer);
  });
}
