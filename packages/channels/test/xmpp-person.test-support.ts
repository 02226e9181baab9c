// The other party in tests of the XMPP channel: somebody with a client of their own, who keeps what they hear.
import { readFileSync } from "node:fs";
import { client as createClient, xml, type Client, type XmlElement } from "@xmpp/client";
import { createAcknowledger } from "../src/xmpp/server/acknowledge.ts";
import { insistOnTls } from "../src/xmpp/server/insist-on-tls.ts";
import { useScram } from "../src/xmpp/server/scram.ts";
import { DOMAIN, PASSWORD, type XmppServer } from "./xmpp-server.test-support.ts";

export class XmppPerson implements AsyncDisposable {
  readonly client: Client;
  readonly heard: XmlElement[] = [];
  readonly #watchers = new Set<() => void>();
  #count = 0;

  private constructor(client: Client) {
    this.client = client;
    client.on("stanza", (stanza) => {
      this.heard.push(stanza);
      for (const look of this.#watchers) look();
    });
  }

  static async connect(server: XmppServer, name: string, resource = "phone"): Promise<XmppPerson> {
    const client = createClient({
      service: `xmpp://127.0.0.1:${server.port}`,
      domain: DOMAIN,
      username: name,
      password: PASSWORD,
      resource,
      timeout: 5000,
    });
    client.reconnect.stop();
    client.on("error", () => {});
    useScram(client);
    insistOnTls(client, { domain: DOMAIN, ca: readFileSync(server.certificate, "utf8"), xml });
    const person = new XmppPerson(client);
    const { agreed } = createAcknowledger(client);
    await client.start();
    await agreed();
    await client.send(xml("presence"));
    return person;
  }

  /** A message with whatever is in it; the id it has. */
  async say(to: string, ...parts: ReadonlyArray<XmlElement | string>): Promise<string> {
    return this.#send(to, "chat", parts);
  }

  async sayInRoom(room: string, ...parts: ReadonlyArray<XmlElement | string>): Promise<string> {
    return this.#send(room, "groupchat", parts);
  }

  async #send(to: string, type: string, parts: ReadonlyArray<XmlElement | string>): Promise<string> {
    this.#count += 1;
    const id = `${this.client.jid?.toString()}-${this.#count}`;
    const children = parts.map((part) => (typeof part === "string" ? xml("body", {}, part) : part));
    await this.client.send(xml("message", { to, type, id }, ...children));
    return id;
  }

  async join(room: string, nick: string): Promise<void> {
    const x = xml("x", { xmlns: "http://jabber.org/protocol/muc" });
    await this.client.send(xml("presence", { to: `${room}/${nick}` }, x));
    await this.hears((stanza) => stanza.is("presence") && stanza.attrs["from"] === `${room}/${nick}`);
  }

  /** The first stanza, earlier or later, that fits. */
  async hears(fits: (stanza: XmlElement) => boolean): Promise<XmlElement> {
    const { promise, resolve } = Promise.withResolvers<XmlElement>();
    const look = (): void => {
      const found = this.heard.find(fits);
      if (found) resolve(found);
    };
    this.#watchers.add(look);
    look();
    const found = await promise;
    this.#watchers.delete(look);
    return found;
  }

  /** The message whose text is this. */
  hearsText(text: string): Promise<XmlElement> {
    return this.hears((stanza) => stanza.is("message") && stanza.getChildText("body") === text);
  }

  /** Texts said directly to us. */
  texts(): string[] {
    return this.heard
      .filter((stanza) => stanza.is("message") && stanza.attrs["type"] === "chat")
      .flatMap((stanza) => stanza.getChildText("body") ?? []);
  }

  async until(isTrue: () => boolean): Promise<void> {
    await this.hears(() => isTrue());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.stop().catch(() => {});
  }
}
