// Opens the nodes: the devices they are, and who is told what happens to them.
import type { House } from "./house.ts";
import { pairingEvent } from "../rooms/audit/room.ts";
import type { Devices } from "../rooms/devices/room.ts";
import { createNodes, type NodeFacts, type Nodes } from "../rooms/nodes/room.ts";

export type NodeNeeds = Pick<
  House,
  "clock" | "ids" | "log" | "config" | "paths" | "devices" | "hub" | "changes" | "audit"
>;

export function openNodes({ clock, ids, log, config, paths, devices, hub, changes, audit }: NodeNeeds): Nodes {
  const nodes = createNodes({
    stateDir: paths.stateDir,
    clock,
    ids,
    log,
    settings: () => config.current().gateway?.nodes ?? {},
    devices: () => pairedNodes(devices),
  });
  const scope = "operator.pairing";
  nodes.onChange((change) => {
    changes.note("devices");
    if (change.kind === "requested") {
      const target = `node:${change.request.nodeId}`;
      const { requestId, commands } = change.request;
      audit.note(pairingEvent({ step: "requested", target, actor: target, detail: { requestId, commands } }));
      hub.broadcast("node.pair.requested", change.request, { scope });
    }
    if (change.kind !== "resolved") return;
    const { requestId, nodeId, decision, at } = change;
    const actor = audit.actor ?? "gateway";
    audit.notePairing({ step: decision, target: `node:${nodeId}`, actor, detail: { requestId } });
    hub.broadcast("node.pair.resolved", { requestId, nodeId, decision, ts: at }, { scope });
  });
  return nodes;
}

function pairedNodes(devices: Devices): NodeFacts[] {
  return devices.list().paired.flatMap(({ deviceId, displayName, platform, deviceFamily, remoteIp, role, roles }) => {
    const isNode = role === "node" || roles?.includes("node");
    return isNode ? [{ nodeId: deviceId, displayName, platform, deviceFamily, remoteIp }] : [];
  });
}
