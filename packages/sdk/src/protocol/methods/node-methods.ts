// Nodes: devices that do things for agents. Their pairing, what they offer, and calls to them.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, flag, text, type MethodSpec } from "./method-spec.ts";

const NodeId = () => NonEmpty().max(128);
const names = () => z.array(NonEmpty().max(200)).max(500).optional();
const RequestIdParams = once(() => z.strictObject({ requestId: NonEmpty() }));

/** What a node says of itself: none of it is proven but the id of one that is connected. */
const facts = () => ({
  nodeId: z.string(),
  displayName: text(),
  platform: text(),
  version: text(),
  coreVersion: text(),
  uiVersion: text(),
  deviceFamily: text(),
  modelIdentifier: text(),
  remoteIp: text(),
});
const surface = () => ({
  caps: z.array(z.string()).readonly(),
  commands: z.array(z.string()).readonly(),
  permissions: z.record(z.string(), z.boolean()),
});

const NodeRow = () =>
  z.object({
    ...facts(),
    /** Of what it declares, what was approved and is allowed. */
    ...surface(),
    pathEnv: text(),
    connectedAtMs: z.number().optional(),
    paired: z.boolean(),
    connected: z.boolean(),
    /** It asks for more than was approved. */
    waits: z.boolean(),
  });

const WaitingNode = () =>
  z.looseObject({
    requestId: z.string(),
    ...facts(),
    caps: z.array(z.string()).optional(),
    commands: z.array(z.string()).optional(),
    permissions: z.record(z.string(), z.boolean()).optional(),
    isRepair: flag(),
    /** Whether it asked to be approved without a question; no notice is taken of it. */
    silent: flag(),
    ts: z.number(),
    /** What nobody approved yet. */
    adds: z.object(surface()),
  });

const ApprovedNode = () => z.object({ ...facts(), ...surface(), createdAtMs: z.number(), approvedAtMs: z.number() });

export const NODE_METHODS = {
  "node.pair.request": {
    role: "operator",
    scope: "operator.pairing",
    says: "Asks for a node to be approved for what it offers",
    params: once(() =>
      z.strictObject({
        nodeId: NodeId(),
        displayName: text(),
        platform: text(),
        version: text(),
        coreVersion: text(),
        uiVersion: text(),
        deviceFamily: text(),
        modelIdentifier: text(),
        caps: names(),
        commands: names(),
        permissions: z.record(NonEmpty(), z.boolean()).optional(),
        remoteIp: text(),
        silent: flag(),
      }),
    ),
    result: once(() => z.object({ status: z.literal("pending"), request: WaitingNode(), created: z.boolean() })),
  },
  "node.pair.list": {
    role: "operator",
    scope: "operator.pairing",
    says: "Nodes that ask to be approved for something, and what each was approved for",
    params: empty,
    result: once(() => z.object({ pending: z.array(WaitingNode()), paired: z.array(ApprovedNode()) })),
  },
  "node.pair.approve": {
    role: "operator",
    scope: "operator.pairing",
    says: "Approves what a node asks for; commands that run programs need an administrator",
    params: RequestIdParams,
    result: once(() => z.object({ requestId: z.string(), node: ApprovedNode().extend({ token: z.string() }) })),
  },
  "node.pair.reject": {
    role: "operator",
    scope: "operator.pairing",
    says: "Turns a node's request down",
    params: RequestIdParams,
    result: once(() => z.object({ requestId: z.string(), nodeId: z.string() })),
  },
  "node.pair.verify": {
    role: "operator",
    scope: "operator.pairing",
    says: "Tells whether this is the token a node was given when it was approved",
    params: once(() => z.strictObject({ nodeId: NodeId(), token: NonEmpty().max(1000) })),
    result: once(() => z.object({ ok: z.boolean(), node: ApprovedNode().optional() })),
  },
  "node.pair.remove": {
    role: "operator",
    scope: "operator.pairing",
    says: "Takes back everything a node was approved for, and what it asked for",
    params: once(() => z.strictObject({ nodeId: NodeId() })),
    result: once(() => z.object({ nodeId: z.string() })),
  },
  "node.rename": {
    role: "operator",
    scope: "operator.pairing",
    says: "Gives a node another name",
    params: once(() => z.strictObject({ nodeId: NodeId(), displayName: z.string().trim().min(1).max(80) })),
    result: once(() => z.object({ nodeId: z.string(), displayName: z.string() })),
  },
  "node.list": {
    role: "operator",
    scope: "operator.read",
    says: "Nodes that are paired or connected, and what each offers",
    params: empty,
    result: once(() => z.object({ ts: z.number(), nodes: z.array(NodeRow()) })),
  },
  "node.describe": {
    role: "operator",
    scope: "operator.read",
    says: "One node, and what it offers",
    params: once(() => z.strictObject({ nodeId: NodeId() })),
    result: once(() => NodeRow().extend({ ts: z.number() })),
  },
  "node.invoke": {
    role: "operator",
    scope: "operator.write",
    says: "Asks a node to do something it offers and waits for its answer; commands that run programs need operator.admin",
    params: once(() =>
      z.strictObject({
        nodeId: NodeId(),
        command: NonEmpty().max(100),
        params: z.unknown().optional(),
        timeoutMs: z.int().min(0).optional(),
        idempotencyKey: NonEmpty().max(200),
      }),
    ),
    result: once(() =>
      z.object({
        ok: z.literal(true),
        nodeId: z.string(),
        command: z.string(),
        payload: z.unknown(),
        payloadJSON: z.string().nullable(),
      }),
    ),
  },
  "node.invoke.result": {
    role: "node",
    scope: "none",
    says: "The answer of a node to the call that was addressed to it",
    params: once(() =>
      z.strictObject({
        id: NonEmpty().max(200),
        nodeId: NodeId(),
        ok: z.boolean(),
        payload: z.unknown().optional(),
        payloadJSON: z.string().nullish(),
        error: z.looseObject({ code: text(), message: text() }).nullish(),
      }),
    ),
    result: once(() => z.object({ ok: z.literal(true), ignored: z.literal(true).optional() })),
  },
  "node.event": {
    role: "node",
    scope: "none",
    says: "Something a node says by itself",
    params: once(() =>
      z.strictObject({
        event: NonEmpty().max(100),
        payload: z.unknown().optional(),
        payloadJSON: z.string().nullish(),
      }),
    ),
    result: once(() => z.object({ ok: z.literal(true), ignored: z.literal(true).optional() })),
  },
} as const satisfies Record<string, MethodSpec>;
