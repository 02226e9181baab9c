// The nodes room owns the devices that do things for agents: who of them is connected, what each was approved to offer
// (nodes/pending.json and nodes/paired.json), the calls that wait for their answers, and what nodes say by themselves.
import { defined } from "@chela/sdk/base";
import { join } from "node:path";
import type { Clock, Ids, Logger } from "@chela/sdk";
import { createRecordFile } from "../../base/files/record-file.ts";
import { allowedCommands, decideCommand, firstPowerful, isHarmless, type CommandSettings } from "./command-rules.ts";
import { createInvocations, type Callee, type CallOutcome, type NodeAnswer, type NodeCall } from "./invocations.ts";
import { createEventBudget } from "./node-events.ts";
import { createNodePairing, type NodePairChange, type NodePairing } from "./pairing.ts";
import { factsOf, pairedNodeSchema, pendingNodeSchema, type NodeFacts } from "./records.ts";
import { additions, isNothing, narrow, readSurface, type DeclaredSurface, type Surface } from "./surface.ts";

export { isPowerful, type CommandSettings } from "./command-rules.ts";
export { findNode } from "./find-node.ts";
export { readNodeEvent, type SpokenMessage } from "./node-events.ts";
export { viewNode } from "./pairing.ts";
export type { NodeFacts } from "./records.ts";
export { readSurface, type DeclaredSurface } from "./surface.ts";

/** One connection of a node, after the door let it in. */
export interface NodeLink extends Callee {
  readonly facts: NodeFacts;
  /** What it says it can do. */
  readonly declared: Surface;
  readonly pathEnv?: string | undefined;
  /** Its device was paired just now, by somebody who may do that: what it declares is what they let in. */
  readonly isPairedNow: boolean;
}

export interface NodeRow extends NodeFacts, Surface {
  readonly pathEnv?: string;
  readonly connectedAtMs?: number;
  readonly paired: boolean;
  readonly connected: boolean;
  /** It asks for more than was approved. */
  readonly waits: boolean;
}

export type InvokeOutcome =
  | CallOutcome
  | { readonly kind: "unknown-node" }
  | { readonly kind: "not-connected" }
  | { readonly kind: "not-allowed"; readonly reason: string; readonly fix: string };

export interface Nodes extends Omit<NodePairing, "find" | "approvedFor"> {
  /** The returned function says that the connection is gone. */
  connect(link: NodeLink): () => void;
  /** What a device says it can do, and the first of it that needs an administrator. */
  offerOf(declared: DeclaredSurface): { readonly surface: Surface; readonly powerful: string | undefined };
  /** Those who are connected first, then by name. */
  rows(): NodeRow[];
  find(nodeId: string): NodeRow | undefined;
  invoke(nodeId: string, call: NodeCall): Promise<InvokeOutcome>;
  /** False when nobody waits for this answer from this very connection. */
  answer(connId: string, answer: NodeAnswer): boolean;
  /** How long the node has to wait before it may say something; zero when it may now. */
  waitToSpeak(nodeId: string): number;
  /** Called after something changed; pairing changes say what. The returned function ends it. */
  onChange(listener: (change: NodeChange) => void): () => void;
}

type NodeChange = NodePairChange | { readonly kind: "moved"; readonly nodeId: string };

export interface NodesOptions {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  settings(): CommandSettings;
  /** Devices that are paired as nodes. */
  devices(): readonly NodeFacts[];
}

interface Present {
  readonly link: NodeLink;
  readonly since: number;
}

/** Touches no file until the first question. */
export function createNodes(options: NodesOptions): Nodes {
  const { stateDir, clock, ids, log } = options;
  const listeners = new Set<(change: NodeChange) => void>();
  const emit = (change: NodeChange): void => {
    for (const listener of listeners) listener(change);
  };
  /** By connection; the newest of a node is the one that is called. */
  const present = new Map<string, Present>();
  const ofNode = (nodeId: string): Present | undefined =>
    [...present.values()].findLast(({ link }) => link.nodeId === nodeId);

  const files = { clock, log };
  const { find: findRecord, ...pairing } = createNodePairing({
    pending: createRecordFile({
      ...files,
      path: join(stateDir, "nodes", "pending.json"),
      schema: pendingNodeSchema,
      idOf: ({ requestId }) => requestId,
    }),
    paired: createRecordFile({
      ...files,
      path: join(stateDir, "nodes", "paired.json"),
      legacyPath: join(stateDir, "credentials", "nodes-paired.json"),
      schema: pairedNodeSchema,
      idOf: ({ nodeId }) => nodeId,
    }),
    clock,
    ids,
    isConnected: (nodeId) => ofNode(nodeId) !== undefined,
    emit(change) {
      const nodeId = change.kind === "requested" ? change.request.nodeId : change.nodeId;
      log.info("Node pairing", { kind: change.kind, nodeId });
      emit(change);
    },
  });
  const calls = createInvocations({ clock, ids, log });
  const waitToSpeak = createEventBudget(clock);

  const rowOf = (nodeId: string, device: NodeFacts | undefined): NodeRow => {
    const here = ofNode(nodeId);
    const record = findRecord(nodeId);
    const approved = pairing.approvedFor(nodeId);
    const declared = here?.link.declared ?? approved;
    // What it was approved as wins over what it says now: a name is not the node's to change.
    const said = here?.link.facts;
    const place = said?.remoteIp ? { remoteIp: said.remoteIp } : {};
    const facts = factsOf({
      ...said,
      ...defined(device ?? {}),
      ...defined(record ? factsOf(record) : {}),
      ...place,
      nodeId,
    });
    const surface = narrow(declared, approved);
    return {
      ...facts,
      ...surface,
      commands: allowedCommands(surface.commands, facts, options.settings()),
      ...(here?.link.pathEnv ? { pathEnv: here.link.pathEnv } : {}),
      ...(here ? { connectedAtMs: here.since } : {}),
      paired: device !== undefined,
      connected: here !== undefined,
      waits: !isNothing(additions(declared, approved)),
    };
  };

  const known = (): Map<string, NodeFacts | undefined> => {
    const nodes = new Map<string, NodeFacts | undefined>(
      [...present.values()].map(({ link }) => [link.nodeId, undefined]),
    );
    for (const device of options.devices()) nodes.set(device.nodeId, device);
    return nodes;
  };
  const find = (nodeId: string): NodeRow | undefined => {
    const nodes = known();
    return nodes.has(nodeId) ? rowOf(nodeId, nodes.get(nodeId)) : undefined;
  };

  return {
    ...pairing,
    rename(node, displayName) {
      const renamed = pairing.rename(node, displayName);
      emit({ kind: "moved", nodeId: node.nodeId });
      return renamed;
    },
    forget(nodeId) {
      const isForgotten = pairing.forget(nodeId);
      if (isForgotten) emit({ kind: "moved", nodeId });
      return isForgotten;
    },
    find,
    waitToSpeak,
    answer: calls.answer,
    offerOf(declared) {
      const surface = readSurface(declared);
      return { surface, powerful: firstPowerful(surface.commands) };
    },
    rows: () => [...known()].map(([nodeId, device]) => rowOf(nodeId, device)).toSorted(byPresenceAndName),

    connect(link) {
      const { connId, nodeId, declared, facts } = link;
      // Let in by a code or for being the owner's; what is not known to be harmless waits until somebody has read its name.
      if (link.isPairedNow) pairing.grant(facts, { ...declared, commands: declared.commands.filter(isHarmless) });
      present.set(connId, { link, since: clock.now() });
      // What is more than was approved is asked for, and not offered meanwhile.
      if (!isNothing(additions(declared, pairing.approvedFor(nodeId)))) pairing.request(facts, declared);
      emit({ kind: "moved", nodeId });
      return () => {
        if (!present.delete(connId)) return;
        calls.drop(connId);
        emit({ kind: "moved", nodeId });
      };
    },

    async invoke(nodeId, call) {
      const node = find(nodeId);
      if (!node) return { kind: "unknown-node" };
      const here = ofNode(nodeId);
      if (!here) return { kind: "not-connected" };
      const offered = { ...node, commands: narrow(here.link.declared, pairing.approvedFor(nodeId)).commands };
      const decision = decideCommand(call.command, offered, options.settings());
      if (decision.kind === "refused") return { ...decision, kind: "not-allowed" };
      return calls.call(here.link, call);
    },

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function byPresenceAndName(one: NodeRow, other: NodeRow): number {
  if (one.connected !== other.connected) return one.connected ? -1 : 1;
  const [first, second] = [one.displayName ?? one.nodeId, other.displayName ?? other.nodeId];
  return first < second ? -1 : first > second ? 1 : 0;
}
