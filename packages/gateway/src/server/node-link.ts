// A connection of a node, as the nodes room knows it.
import type { ConnectParams } from "@chela/sdk/protocol";
import type { NodeLink } from "../rooms/nodes/room.ts";
import { readSurface } from "../rooms/nodes/surface.ts";
import type { ClientAddress } from "@chela/sdk";
import type { HandshakeOutcome } from "./handshake.ts";

const LONGEST_PATH = 4_000;

export function nodeLink(
  params: ConnectParams,
  { device }: Extract<HandshakeOutcome, { kind: "admitted" }>,
  of: { readonly connId: string; readonly address: ClientAddress; readonly send: NodeLink["send"] },
): NodeLink {
  const { client, pathEnv } = params;
  const { displayName, platform, version, deviceFamily, modelIdentifier } = client;
  const nodeId = device?.id ?? "";
  const { ip, isLocal } = of.address;
  return {
    connId: of.connId,
    nodeId,
    facts: {
      nodeId,
      displayName,
      platform,
      version,
      deviceFamily,
      modelIdentifier,
      ...(isLocal ? {} : { remoteIp: ip }),
    },
    declared: readSurface(params),
    pathEnv: pathEnv?.slice(0, LONGEST_PATH),
    isPairedNow: device?.isPairedNow ?? false,
    send: of.send,
  };
}
