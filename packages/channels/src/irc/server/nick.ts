// Our nick: logs in with the network's services, and gets the nick back when somebody else had it.
import type { Clock, Logger } from "@chela/sdk";
import type { IrcAccount } from "../config.ts";
import { waitFor, type LineListeners } from "./line-listeners.ts";
import type { ServerFacts } from "./server-facts.ts";
import { writeLine, type Line } from "./line.ts";
import type { Credentials } from "../secrets.ts";

export interface NickGuard {
  /** Tells NickServ who we are, where that was not done while connecting; waits a moment for its answer. */
  identify(): Promise<void>;
  /** From now on the nick is taken back as soon as it is free. */
  keep(): Promise<void>;
  hear(line: Line): void;
  stop(): void;
}

export interface NickNeeds {
  readonly account: IrcAccount;
  readonly credentials: Credentials;
  readonly facts: ServerFacts;
  readonly listeners: LineListeners;
  readonly clock: Clock;
  readonly log: Logger;
  write(line: string): Promise<boolean>;
  /** Resolves when the server has worked off what was written. */
  roundTrip(timeoutMs: number): Promise<boolean>;
}

const ANSWER_MS = 5000;
const LOOK_EVERY_MS = 60_000;

export function createNickGuard(needs: NickNeeds): NickGuard {
  const { account, credentials, facts, listeners, clock, log, write } = needs;
  const { nick: wanted, nickserv } = account;
  const password = credentials.nickservPassword;
  let cancelLook: (() => void) | undefined;
  let isKeeping = false;

  const hasNick = (): boolean => facts.isMe(wanted);
  const take = (): void => void (isKeeping && !hasNick() && write(writeLine("NICK", [wanted])));
  /** Services may be far away: their first word is waited for, and then what the server has to say about it. */
  const tell = async (words: ReadonlyArray<string | undefined>): Promise<void> => {
    const text = words.filter((word) => word !== undefined).join(" ");
    const answer = waitFor({ listeners, clock }, ANSWER_MS, ({ command, source }) =>
      command === "900" || (command === "NOTICE" && isService(source?.nick)) ? true : undefined,
    );
    await write(writeLine("PRIVMSG", [nickserv?.service ?? "NickServ", text]));
    if (await answer) await needs.roundTrip(ANSWER_MS);
  };
  const isService = (nick: string | undefined): boolean =>
    nick !== undefined && facts.fold(nick) === facts.fold((nickserv?.service ?? "").split("@", 1)[0] ?? "");

  /** Asks for the nick from time to time, where the server does not tell us by itself. */
  const look = (): void => {
    cancelLook?.();
    cancelLook = undefined;
    if (!isKeeping || hasNick()) return;
    void write(writeLine("ISON", [wanted]));
    cancelLook = clock.after(LOOK_EVERY_MS, look);
  };
  const regain = async (): Promise<void> => {
    log.warn(`the nick ${wanted} is in use; we are ${facts.nick} until it is free`);
    if (nickserv && password) {
      await tell(["GHOST", wanted, facts.account === undefined ? password : undefined]);
      take();
    }
    if (facts.supports("MONITOR") !== undefined) await write(writeLine("MONITOR", ["+", wanted]));
    else look();
  };
  return {
    async identify() {
      if (!nickserv || !password || facts.account !== undefined) return;
      await tell(["IDENTIFY", nickserv.account, password]);
      if (!nickserv.register || facts.account !== undefined) return;
      await tell(["REGISTER", password, nickserv.registerEmail]);
    },
    async keep() {
      isKeeping = true;
      if (!hasNick()) await regain();
    },
    hear({ command, source, params }) {
      if (!isKeeping) return;
      const isFree = (nick: string): boolean => facts.fold(nick) === facts.fold(wanted);
      if (command === "731" && (params[1] ?? "").split(",").some((entry) => isFree(entry.split("!", 1)[0] ?? "")))
        take();
      if (command === "303" && !(params[1] ?? "").split(" ").some(isFree)) take();
      if ((command === "QUIT" || command === "NICK") && source && isFree(source.nick)) {
        if (command === "NICK" && facts.isMe(params[0] ?? "")) void regain();
        else take();
      }
    },
    stop() {
      isKeeping = false;
      cancelLook?.();
    },
  };
}
