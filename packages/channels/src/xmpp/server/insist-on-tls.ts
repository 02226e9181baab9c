// Makes the library's client speak only through TLS with a certificate that was checked for the domain of the account.
import { defined } from "@chela/sdk/base";
import { isIP } from "node:net";
import type { Client, XmlElement, xml } from "@xmpp/client";

export interface TlsDemands {
  readonly domain: string;
  readonly ca: string | undefined;
  readonly xml: typeof xml;
}

const STREAMS = "http://etherx.jabber.org/streams";
const TLS = "urn:ietf:params:xml:ns:xmpp-tls";

/**
 * Left alone, the library logs in without TLS where none is offered, and knows no certificates but the system's. Before the
 * stream is encrypted nothing reaches it: not what the server says there, and not what somebody in between slips in.
 */
export function insistOnTls(client: Client, { domain, ca, xml }: TlsDemands): void {
  const options = { ...(isIP(domain) ? {} : { servername: domain }), ...defined({ ca }) };
  const parametersOf = client.socketParameters.bind(client);
  client.socketParameters = (service) => {
    const parameters = parametersOf(service);
    if (!service.startsWith("xmpps:") || parameters === undefined) return parameters;
    return { ...parameters, ...options, ALPNProtocols: ["xmpp-client"] };
  };

  const pass = client._onElement.bind(client);
  let step: "greeted" | "asked" | "upgrading" = "greeted";
  const fail = (why: string): void => client.emit("error", new Error(why));
  const upgrade = async (): Promise<void> => {
    const transport = client.transports.find(
      ({ prototype }) => prototype.socketParameters("xmpps://tls") !== undefined,
    );
    if (!transport) throw new Error("the library has no TLS");
    const socket = new transport.prototype.Socket();
    const secured = new Promise<void>((resolve, reject) => {
      socket.once("connect", () => resolve());
      socket.once("error", reject);
    });
    socket.connect({ ...options, socket: client.socket, host: domain });
    await secured;
    client._attachSocket(socket);
    await client.restart();
  };
  client._onElement = (element: XmlElement) => {
    if (client.isSecure() || element.is("error", STREAMS)) return pass(element);
    if (step === "greeted" && element.is("features", STREAMS)) {
      if (!element.getChild("starttls", TLS)) return fail("the server offers no encryption");
      step = "asked";
      client.send(xml("starttls", { xmlns: TLS })).catch((error: Error) => client.emit("error", error));
    } else if (step === "asked") {
      if (!element.is("proceed", TLS)) return fail("the server refused encryption");
      step = "upgrading";
      upgrade().catch((error: Error) => client.emit("error", error));
    }
  };
}
