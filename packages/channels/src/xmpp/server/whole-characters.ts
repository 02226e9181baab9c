// Keeps characters whole that the network cuts in two: the library reads each packet as a text of its own.
import { StringDecoder } from "node:string_decoder";
import type { Client } from "@xmpp/client";

export function keepCharactersWhole(client: Client): void {
  const decoder = new StringDecoder("utf8");
  const pass = client._onData.bind(client);
  client._onData = (data) => pass(typeof data === "string" ? data : decoder.write(data));
}
