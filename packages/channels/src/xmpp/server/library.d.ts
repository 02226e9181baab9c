// As much of @xmpp/client as we use, with the inner parts that are needed to insist on TLS and to acknowledge late.
declare module "@xmpp/client" {
  export interface XmlElement {
    readonly name: string;
    readonly attrs: Readonly<Record<string, string | undefined>>;
    readonly children: ReadonlyArray<XmlElement | string>;
    is(name: string, xmlns?: string): boolean;
    getChild(name: string, xmlns?: string): XmlElement | undefined;
    getChildren(name: string, xmlns?: string): XmlElement[];
    getChildElements(): XmlElement[];
    getChildText(name: string, xmlns?: string): string | null;
    text(): string;
    toString(): string;
  }

  interface XmlParser {
    on(event: "element" | "start", listener: (element: XmlElement) => void): void;
    write(text: string): void;
  }

  export const xml: {
    (
      name: string,
      attrs?: Readonly<Record<string, string | undefined>>,
      ...children: ReadonlyArray<XmlElement | string | undefined>
    ): XmlElement;
    readonly Parser: new () => XmlParser;
  };

  /** What the library wraps around a socket with TLS. */
  interface TlsSocket {
    connect(options: object): void;
    once(event: "connect" | "error", listener: (error?: Error) => void): void;
  }

  interface Transport {
    readonly prototype: {
      socketParameters(service: string): object | undefined;
      readonly Socket: new () => TlsSocket;
    };
  }

  /** One way to log in. */
  export interface SaslMechanism {
    readonly name: string;
    readonly clientFirst: boolean;
    challenge(text: string): void;
    response(credentials: { readonly username: string; readonly password: string }): Promise<string>;
  }

  export interface Client {
    readonly saslFactory: { readonly _mechs: Array<{ readonly name: string; readonly mech: new () => SaslMechanism }> };
    readonly jid: { toString(): string } | null;
    readonly status: string;
    readonly socket: (object & { end(): void }) | null;
    readonly transports: readonly Transport[];
    readonly reconnect: { stop(): void };
    readonly streamManagement: { readonly inbound: number };
    readonly iqCaller: { request(iq: XmlElement, timeoutMs?: number): Promise<XmlElement> };
    start(): Promise<unknown>;
    stop(): Promise<unknown>;
    restart(): Promise<unknown>;
    send(element: XmlElement): Promise<void>;
    isSecure(): boolean;
    on(event: "stanza" | "element", listener: (element: XmlElement) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
    on(event: "disconnect", listener: () => void): void;
    emit(event: "error", error: Error): void;
    socketParameters(service: string): object | undefined;
    _onData(data: Buffer | string): void;
    _onElement(element: XmlElement): void;
    _attachSocket(socket: TlsSocket): void;
  }

  export function client(options: {
    readonly service: string;
    readonly domain: string;
    readonly username: string;
    readonly password: string;
    readonly resource: string;
    readonly timeout: number;
  }): Client;
}
