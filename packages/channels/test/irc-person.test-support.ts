// Somebody on IRC with a client nobody here wrote (irc-framework): writes, reads, renames, goes.
// @ts-expect-error -- the package has no types; what is used of it is written down below
import framework from "irc-framework";

interface ForeignMessage {
  readonly nick: string;
  readonly target: string;
  readonly message: string;
  readonly type: string;
  readonly tags: Readonly<Record<string, string>>;
}

interface ForeignClient {
  connect(options: Readonly<Record<string, unknown>>): void;
  on(event: string, hear: (event: never) => void): void;
  once(event: string, hear: (event: never) => void): void;
  say(target: string, text: string): void;
  notice(target: string, text: string): void;
  action(target: string, text: string): void;
  join(room: string): void;
  changeNick(nick: string): void;
  raw(...words: string[]): void;
  quit(text: string): void;
  requestCap(names: readonly string[]): void;
  readonly user: { readonly nick: string };
}

export interface PersonOptions {
  readonly host: string;
  readonly port: number;
  readonly nick: string;
  readonly username?: string;
  /** Logs in to this account. */
  readonly account?: { readonly account: string; readonly password: string };
  readonly capabilities?: readonly string[];
}

export class IrcPerson implements AsyncDisposable {
  readonly heard: ForeignMessage[] = [];
  readonly lines: string[] = [];
  readonly #client: ForeignClient;
  readonly #watchers = new Set<() => void>();

  private constructor(client: ForeignClient) {
    this.#client = client;
    client.on("message", (event: ForeignMessage) => this.heard.push(event));
    client.on("raw", (event: { line: string; from_server: boolean }) => {
      if (!event.from_server) return;
      this.lines.push(event.line);
      // What the line means is told after the line itself.
      setImmediate(() => this.#watchers.forEach((look) => look()));
    });
  }

  static async connect(options: PersonOptions): Promise<IrcPerson> {
    const { Client } = framework as { Client: new () => ForeignClient };
    const client = new Client();
    if (options.capabilities) client.requestCap(options.capabilities);
    const person = new IrcPerson(client);
    client.connect({
      host: options.host,
      port: options.port,
      nick: options.nick,
      username: options.username ?? options.nick,
      gecos: options.nick,
      auto_reconnect: false,
      ...(options.account ? { account: options.account } : {}),
    });
    await person.until(() => person.lines.some((line) => / (?:376|422) /.test(line)));
    return person;
  }

  get nick(): string {
    return this.#client.user.nick;
  }

  say(target: string, text: string): void {
    this.#client.say(target, text);
  }

  notice(target: string, text: string): void {
    this.#client.notice(target, text);
  }

  act(target: string, text: string): void {
    this.#client.action(target, text);
  }

  write(line: string): void {
    this.#client.raw(line);
  }

  async join(room: string): Promise<void> {
    this.#client.join(room);
    await this.line(new RegExp(` 366 \\S+ ${room} `, "i"));
  }

  async rename(nick: string): Promise<void> {
    this.#client.changeNick(nick);
    await this.until(() => this.nick === nick);
  }

  /** What was said to this person directly, in order. */
  directly(): string[] {
    return this.heard
      .filter(({ target, type }) => target === this.nick && type === "privmsg")
      .map((said) => said.message);
  }

  async message(fits: (said: ForeignMessage) => boolean): Promise<ForeignMessage> {
    await this.until(() => this.heard.some(fits));
    return this.heard.find(fits) as ForeignMessage;
  }

  async line(pattern: RegExp): Promise<string> {
    await this.until(() => this.lines.some((line) => pattern.test(line)));
    return this.lines.find((line) => pattern.test(line)) as string;
  }

  async until(isTrue: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const look = (): void => void (isTrue() && resolve());
    this.#watchers.add(look);
    look();
    await promise;
    this.#watchers.delete(look);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#client.once("socket close", () => resolve());
    this.#client.quit("bye");
    await promise;
  }
}
