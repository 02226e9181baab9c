// The first lines of a connection: capabilities, login, nick. Ends when the server has let us in.
import { GatewayError, type Clock } from "@chela/sdk";
import { stripCodes } from "../receive/codes.ts";
import type { IrcAccount } from "../config.ts";
import type { LineListeners } from "./line-listeners.ts";
import type { ServerFacts } from "./server-facts.ts";
import { writeLine, type Line } from "./line.ts";
import type { Credentials } from "../secrets.ts";

export interface RegisterNeeds {
  readonly account: IrcAccount;
  readonly credentials: Credentials;
  readonly facts: ServerFacts;
  readonly listeners: LineListeners;
  readonly clock: Clock;
  write(line: string): void;
  /** Why the connection ended. */
  readonly ended: Promise<string>;
}

const WANTED = [
  "account-notify",
  "account-tag",
  "batch",
  "chghost",
  "draft/chathistory",
  // Without it ergo tells in words, as messages, who came and went while we were away.
  "draft/event-playback",
  "draft/message-redaction",
  "draft/multiline",
  "echo-message",
  "message-tags",
  "sasl",
  "server-time",
  "setname",
];
const PATIENCE_MS = 30_000;
/** What AUTHENTICATE takes at once. */
const SASL_CHUNK = 400;
/** Every server takes nicks of this length. */
const SHORT_NICK = 9;

export async function register(needs: RegisterNeeds): Promise<void> {
  const { account, credentials, facts, listeners, clock, write, ended } = needs;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (code: "CHANNEL_AUTH" | "CHANNEL_OFFLINE" | "CHANNEL_SETTINGS", detail: string): void =>
    reject(new GatewayError(code, `${account.host}: ${detail}`));
  const login = createLogin(needs, refuse);
  const nicks = createNickChooser(account.nick);

  const hear = (line: Line): void => {
    const said = stripCodes(line.params.at(-1) ?? "");
    if (login.hear(line)) return;
    if (["433", "436", "437"].includes(line.command)) tryNick(nicks.next());
    if (line.command === "432") {
      const shorter = nicks.shorten();
      if (shorter) tryNick(shorter);
      else refuse("CHANNEL_SETTINGS", `the server does not allow the nick "${account.nick}": set another nick`);
    }
    if (line.command === "464") refuse("CHANNEL_AUTH", "the server password is wrong or missing (password)");
    if (line.command === "465" || line.command === "ERROR") {
      const isAboutPassword = line.command === "ERROR" && /password/i.test(said);
      refuse(isAboutPassword ? "CHANNEL_AUTH" : "CHANNEL_OFFLINE", `the server refused us: ${said}`);
    }
    if (line.command === "376" || line.command === "422") resolve();
  };
  const tryNick = (nick: string): void => {
    facts.nick = nick;
    write(writeLine("NICK", [nick]));
  };
  const deafen = listeners.listen(hear);
  const cancel = clock.after(PATIENCE_MS, () => refuse("CHANNEL_OFFLINE", "the server did not let us in within 30 s"));
  void ended.then((why) => refuse("CHANNEL_OFFLINE", why));
  write("CAP LS 302");
  if (credentials.serverPassword) write(writeLine("PASS", [credentials.serverPassword]));
  tryNick(account.nick);
  write(writeLine("USER", [account.username, "0", "*", account.realname]));
  try {
    await promise;
  } finally {
    deafen();
    cancel();
  }
}

interface NickChooser {
  /** Another nick, when the one before is taken. */
  next(): string;
  /** One that every server takes, unless it was not too long. */
  shorten(): string | undefined;
}

function createNickChooser(wanted: string): NickChooser {
  let longest = Infinity;
  let tries = 0;
  const next = (): string => {
    tries += 1;
    const tail = tries <= 2 ? "_".repeat(tries) : String(tries);
    return wanted.slice(0, longest - tail.length) + tail;
  };
  return {
    next,
    shorten() {
      const isShort = wanted.length + tries <= SHORT_NICK;
      if (isShort || longest === SHORT_NICK) return undefined;
      longest = SHORT_NICK;
      return tries === 0 ? wanted.slice(0, longest) : next();
    },
  };
}

interface Login {
  /** Whether the line was about capabilities or login. */
  hear(line: Line): boolean;
}

function createLogin(needs: RegisterNeeds, refuse: (code: "CHANNEL_AUTH", detail: string) => void): Login {
  const { account, credentials, facts, write } = needs;
  const offered = new Map<string, string>();
  let mechanism: "EXTERNAL" | "PLAIN" | undefined;

  const hearCapabilities = (words: readonly string[]): void => {
    const [verb, mark] = words;
    const list = (words.at(-1) ?? "").split(" ").filter((word) => word !== "");
    if (verb === "LS") {
      for (const word of list) offered.set(...cutValue(word));
      if (mark !== "*") request();
    }
    if (verb === "ACK") {
      for (const word of list) facts.capabilities.set(word, offered.get(word) ?? "");
      begin();
    }
    if (verb === "NAK") write("CAP END");
    if (verb === "DEL") for (const word of list) facts.capabilities.delete(word);
  };
  const request = (): void => {
    const wanted = WANTED.filter((name) => offered.has(name) && (name !== "sasl" || chooseMechanism() !== undefined));
    write(wanted.length === 0 ? "CAP END" : writeLine("CAP", ["REQ", wanted.join(" ")]));
  };
  const chooseMechanism = (): typeof mechanism => {
    const known = offered.get("sasl")?.toUpperCase().split(",") ?? [];
    const takes = (name: string): boolean => known.includes(name) || known.join("") === "";
    if (account.clientCertificate && account.tls && takes("EXTERNAL")) return "EXTERNAL";
    return credentials.nickservPassword && takes("PLAIN") ? "PLAIN" : undefined;
  };
  const begin = (): void => {
    mechanism = facts.has("sasl") ? chooseMechanism() : undefined;
    write(mechanism ? `AUTHENTICATE ${mechanism}` : "CAP END");
  };
  const hearFailure = (): void => {
    if (mechanism === "EXTERNAL" && credentials.nickservPassword) {
      mechanism = "PLAIN";
      return write("AUTHENTICATE PLAIN");
    }
    // An account that is to be registered is not there yet.
    if (account.nickserv?.register) write("CAP END");
    else refuse("CHANNEL_AUTH", `the login as ${loginName(account)} was refused (nickserv.password, nickserv.account)`);
  };
  return {
    hear({ command, params }) {
      if (command === "CAP") hearCapabilities(params.slice(1));
      else if (command === "AUTHENTICATE") writeSecret(mechanism === "PLAIN" ? plainSecret(account, credentials) : "");
      else if (command === "903" || command === "907") write("CAP END");
      else if (["902", "904", "905", "906"].includes(command)) hearFailure();
      else return false;
      return true;
    },
  };

  function writeSecret(secret: string): void {
    const encoded = Buffer.from(secret).toString("base64");
    for (let from = 0; from < encoded.length; from += SASL_CHUNK) {
      write(`AUTHENTICATE ${encoded.slice(from, from + SASL_CHUNK)}`);
    }
    if (encoded.length % SASL_CHUNK === 0) write("AUTHENTICATE +");
  }
}

function loginName(account: IrcAccount): string {
  return account.nickserv?.account ?? account.nick;
}

function plainSecret(account: IrcAccount, credentials: Credentials): string {
  const name = loginName(account);
  return `${name}\0${name}\0${credentials.nickservPassword ?? ""}`;
}

function cutValue(word: string): [string, string] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, ""] : [word.slice(0, equals), word.slice(equals + 1)];
}
