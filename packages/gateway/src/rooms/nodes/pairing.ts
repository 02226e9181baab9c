// The book of nodes: what each was approved for, and the requests that wait for a person.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Clock, Ids } from "@chela/sdk";
import type { RecordFile } from "../../base/files/record-file.ts";
import { firstPowerful } from "./command-rules.ts";
import { factsOf, surfaceOf, type NodeFacts, type PairedNode, type PendingNode } from "./records.ts";
import { additions, isNothing, NO_SURFACE, type Surface } from "./surface.ts";

const TTL_MS = 5 * 60_000;
const MOST_WAITING = 50;
const ADMIN = "operator.admin";
const LONGEST_NAME = 80;

export type NodePairChange =
  | { readonly kind: "requested"; readonly request: PendingView }
  | {
      readonly kind: "resolved";
      readonly requestId: string;
      readonly nodeId: string;
      readonly decision: "approved" | "rejected";
      readonly at: number;
    };

/** A request with what nobody approved yet. */
export type PendingView = PendingNode & { readonly adds: Surface };
/** An approved node as others may see it: no token, and nothing a foreign file may have added. */
export interface PairedView extends NodeFacts, Surface {
  readonly createdAtMs: number;
  readonly approvedAtMs: number;
}

export type NodeApproval =
  | { readonly kind: "approved"; readonly requestId: string; readonly node: PairedNode }
  | { readonly kind: "unknown-request" }
  | { readonly kind: "beyond-approver"; readonly missing: string; readonly command: string };

export interface NodePairingParts {
  readonly pending: RecordFile<PendingNode>;
  readonly paired: RecordFile<PairedNode>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The request of a node that is there stays; others are forgotten after five minutes. */
  isConnected(nodeId: string): boolean;
  emit(change: NodePairChange): void;
}

export type NodePairing = ReturnType<typeof createNodePairing>;

export function createNodePairing({ pending, paired, clock, ids, isConnected, emit }: NodePairingParts) {
  const live = (): Map<string, PendingNode> => {
    const now = clock.now();
    return new Map(
      [...pending.load()].filter(([, { ts, nodeId }]) => Math.abs(now - ts) < TTL_MS || isConnected(nodeId)),
    );
  };
  const approvedFor = (nodeId: string): Surface => {
    const node = paired.load().get(nodeId);
    return node ? surfaceOf(node) : NO_SURFACE;
  };
  const view = (request: PendingNode): PendingView => ({
    ...request,
    adds: additions(surfaceOf(request), approvedFor(request.nodeId)),
  });
  const drop = (isGone: (request: PendingNode) => boolean): void => {
    const records = live();
    const before = records.size;
    for (const [id, request] of records) if (isGone(request)) records.delete(id);
    if (records.size < before) pending.save(records);
  };
  const put = (node: PairedNode): void => paired.save(new Map(paired.load()).set(node.nodeId, node));

  /** What is approved now is all there is: an earlier approval adds nothing to it, and its token is worth nothing. */
  const grant = (facts: NodeFacts, surface: Surface): PairedNode => {
    const before = paired.load().get(facts.nodeId);
    const now = clock.now();
    const node: PairedNode = {
      ...factsOf({ ...facts, displayName: before?.displayName ?? facts.displayName }),
      ...listed(surface),
      token: Buffer.from(ids.secretHex(32), "hex").toString("base64url"),
      createdAtMs: before?.createdAtMs ?? now,
      approvedAtMs: now,
    };
    put(node);
    drop((request) => request.nodeId === node.nodeId);
    return node;
  };

  return {
    grant,
    approvedFor,
    find: (nodeId: string): PairedNode | undefined => paired.load().get(nodeId),

    /** Remembers what a node asks for. The same request again is the same request; a larger one gets a new id. */
    request(facts: NodeFacts, surface: Surface): { readonly request: PendingView; readonly created: boolean } {
      const records = live();
      const waiting = [...records.values()].find(({ nodeId }) => nodeId === facts.nodeId);
      if (waiting && isSame(surfaceOf(waiting), surface) && waiting.platform === factsOf(facts).platform) {
        return { request: view(waiting), created: false };
      }
      if (waiting) records.delete(waiting.requestId);
      const isRepair = paired.load().has(facts.nodeId);
      const made: PendingNode = {
        requestId: ids.uuid(),
        ...factsOf(facts),
        ...listed(surface),
        silent: false,
        isRepair,
        ts: clock.now(),
      };
      const [oldest] = [...records.values()].toSorted((a, b) => a.ts - b.ts);
      if (oldest && records.size >= MOST_WAITING) records.delete(oldest.requestId);
      pending.save(records.set(made.requestId, made));
      const request = view(made);
      emit({ kind: "requested", request });
      return { request, created: true };
    },

    list: (): { pending: PendingView[]; paired: PairedView[] } => ({
      pending: [...live().values()].toSorted((a, b) => b.ts - a.ts).map(view),
      paired: [...paired.load().values()].map(viewNode),
    }),

    /** `approverScopes` are those the approving connection really holds. */
    approve(requestId: string, approverScopes: readonly string[]): NodeApproval {
      const request = live().get(requestId);
      if (!request) return { kind: "unknown-request" };
      const surface = surfaceOf(request);
      const command = firstPowerful(surface.commands);
      if (command !== undefined && !approverScopes.includes(ADMIN)) {
        return { kind: "beyond-approver", missing: ADMIN, command };
      }
      const node = grant(request, surface);
      emit({ kind: "resolved", requestId, nodeId: node.nodeId, decision: "approved", at: clock.now() });
      return { kind: "approved", requestId, node };
    },

    reject(requestId: string): { readonly kind: "rejected"; nodeId: string } | { readonly kind: "unknown-request" } {
      const request = live().get(requestId);
      if (!request) return { kind: "unknown-request" };
      const { nodeId } = request;
      drop((other) => other.requestId === requestId);
      emit({ kind: "resolved", requestId, nodeId, decision: "rejected", at: clock.now() });
      return { kind: "rejected", nodeId };
    },

    /** Is this the token the node was given when it was approved? */
    verify(nodeId: string, token: string): PairedView | undefined {
      const node = paired.load().get(nodeId);
      // Compared in any case, so that the time does not tell who is paired.
      const isRight = isSameSecret(node?.token ?? "", token);
      return node && isRight ? viewNode(node) : undefined;
    },

    rename(facts: NodeFacts, name: string): string {
      const displayName = name.trim().slice(0, LONGEST_NAME);
      const node = paired.load().get(facts.nodeId) ?? grant(facts, NO_SURFACE);
      put({ ...node, displayName });
      return displayName;
    },

    /** Nothing of the node is known any more: not what it was approved for, nor what it asked for. */
    forget(nodeId: string): boolean {
      const records = new Map(paired.load());
      const wasKnown = records.delete(nodeId);
      if (wasKnown) paired.save(records);
      drop((request) => request.nodeId === nodeId);
      return wasKnown;
    },
  };
}

/** Leaves out what only the gateway may know. */
export function viewNode(node: PairedNode): PairedView {
  const { createdAtMs, approvedAtMs } = node;
  return { ...factsOf(node), ...surfaceOf(node), createdAtMs, approvedAtMs };
}

function listed({ caps, commands, permissions }: Surface): Pick<PairedNode, "caps" | "commands" | "permissions"> {
  return { caps: [...caps], commands: [...commands], permissions: { ...permissions } };
}

function isSame(one: Surface, other: Surface): boolean {
  return isNothing(additions(one, other)) && isNothing(additions(other, one));
}

/** Digests have one length, so neither content nor length of the secret shows in the time it takes. */
function isSameSecret(first: string, second: string): boolean {
  return timingSafeEqual(digest(first), digest(second)) && first !== "";
}

function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
