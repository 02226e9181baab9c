// What was sent is kept also by servers that are strict about how a mailbox was selected.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect, it } from "vitest";
import { Secret } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { Archive } from "./archive.ts";
import type { EmailAccount } from "./config.ts";

it("a copy of what was sent is put into a mailbox that was selected for writing", async () => {
  await using server = await startStrictServer();
  const access = { host: "127.0.0.1", port: server.port, tls: false as const, user: "bot", password: new Secret("x") };
  const account = { sentMailbox: "Sent", mailbox: "INBOX", maxMessageBytes: 1e6 } as EmailAccount;
  const archive = new Archive(account, access, createFakeClock());
  await archive.keepSent(Buffer.from("Message-Id: <a@b>\r\n\r\nHello\r\n"), "a@b");
  expect(server.kept).toEqual(["Message-Id: <a@b>\r\n\r\nHello\r\n"]);
  await archive.close();
});

/** Speaks as much IMAP as is needed, and refuses to add to a mailbox that was only looked at, as Courier does. */
async function startStrictServer(): Promise<AsyncDisposable & { readonly port: number; readonly kept: string[] }> {
  const kept: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    talk(socket, kept);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    kept,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function talk(socket: Socket, kept: string[]): void {
  let selected: "" | "SELECT" | "EXAMINE" = "";
  let rest = "";
  /** A mail that is being taken in: its tag, and how many characters are still to come. */
  let mail: { readonly tag: string; readonly length: number } | undefined;
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const answer = (line: string): void => {
    const [tag = "", command = ""] = line.toUpperCase().split(" ");
    if (command === "CAPABILITY") say("* CAPABILITY IMAP4rev1");
    if (command === "SELECT" || command === "EXAMINE") {
      selected = command;
      say("* 0 EXISTS");
      say("* OK [UIDVALIDITY 1]");
      return say(`${tag} OK [READ-${command === "SELECT" ? "WRITE" : "ONLY"}] done`);
    }
    if (command === "UID") say("* SEARCH");
    if (command === "APPEND") {
      if (selected === "EXAMINE") return say(`${tag} NO [READ-ONLY] current box is selected READ-ONLY`);
      mail = { tag, length: Number(/\{(\d+)\+?\}$/.exec(line)?.[1]) };
      return say("+ go on");
    }
    if (command === "LIST" || command === "LSUB") say('* LIST () "/" "Sent"');
    say(`${tag} OK done`);
  };
  say("* OK strict");
  socket.on("data", (bytes) => {
    rest += bytes.toString();
    for (;;) {
      if (mail) {
        if (rest.length < mail.length + 2) return;
        kept.push(rest.slice(0, mail.length));
        rest = rest.slice(mail.length + 2);
        say(`${mail.tag} OK kept`);
        mail = undefined;
      }
      const end = rest.indexOf("\r\n");
      if (end < 0) return;
      const line = rest.slice(0, end);
      rest = rest.slice(end + 2);
      answer(line);
    }
  });
}
