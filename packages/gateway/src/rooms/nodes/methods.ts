// Methods about nodes: their pairing, what they offer, calls to them, and what they say themselves.
import {
  type NODE_METHODS,
  holdsScope,
  invalid,
  WireError,
  type CallContext,
  type Handlers,
} from "@chela/sdk/protocol";
import { isPowerful, readNodeEvent, readSurface, viewNode, type InvokeOutcome } from "./room.ts";
import type { House } from "../../house/house.ts";
import { hearNode } from "./node-speech.ts";

type NodeMethods = Pick<Handlers, keyof typeof NODE_METHODS>;

export function nodeMethods(gateway: House): NodeMethods {
  const { clock, log } = gateway;
  return {
    async "node.pair.request"(params) {
      const nodes = await gateway.nodes();
      return { status: "pending" as const, ...nodes.request(params, readSurface(params)) };
    },

    "node.pair.list": async () => (await gateway.nodes()).list(),

    async "node.pair.approve"({ requestId }, call) {
      const outcome = (await gateway.nodes()).approve(requestId, call.client.scopes);
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      if (outcome.kind === "beyond-approver") {
        throw invalid(`missing scope: ${outcome.missing}`, { command: outcome.command });
      }
      return { requestId, node: { ...viewNode(outcome.node), token: outcome.node.token } };
    },

    async "node.pair.reject"({ requestId }) {
      const outcome = (await gateway.nodes()).reject(requestId);
      if (outcome.kind === "unknown-request") throw invalid("unknown requestId");
      return { requestId, nodeId: outcome.nodeId };
    },

    async "node.pair.verify"({ nodeId, token }) {
      const node = (await gateway.nodes()).verify(nodeId, token);
      return { ok: node !== undefined, ...(node ? { node } : {}) };
    },

    async "node.pair.remove"({ nodeId }) {
      if (!(await gateway.nodes()).forget(nodeId)) throw invalid("unknown nodeId");
      return { nodeId };
    },

    async "node.rename"({ nodeId, displayName }) {
      const nodes = await gateway.nodes();
      const node = nodes.find(nodeId);
      if (!node) throw invalid("unknown nodeId");
      return { nodeId, displayName: nodes.rename(node, displayName) };
    },

    "node.list": async () => ({ ts: clock.now(), nodes: (await gateway.nodes()).rows() }),

    async "node.describe"({ nodeId }) {
      const node = (await gateway.nodes()).find(nodeId);
      if (!node) throw invalid("unknown nodeId");
      return { ts: clock.now(), ...node };
    },

    async "node.invoke"({ nodeId, command, params, timeoutMs, idempotencyKey }, call) {
      checkCaller(command, params, call);
      const wanted = { command, params, timeoutMs, idempotencyKey };
      const outcome = await (await gateway.nodes()).invoke(nodeId, wanted);
      if (outcome.kind !== "answered") throw toWire(outcome, command);
      return { ok: true as const, nodeId, command, payload: outcome.payload, payloadJSON: outcome.payloadJSON };
    },

    async "node.invoke.result"({ nodeId, ...answer }, { client }) {
      if (nodeId !== client.deviceId) throw invalid("nodeId mismatch");
      const isTaken = (await gateway.nodes()).answer(client.connId, answer);
      return { ok: true as const, ...(isTaken ? {} : { ignored: true as const }) };
    },

    async "node.event"({ event, payload, payloadJSON }, { client }) {
      const nodeId = client.deviceId ?? "";
      const retryAfterMs = (await gateway.nodes()).waitToSpeak(nodeId);
      if (retryAfterMs > 0) {
        const message = `too many events; try again in ${Math.ceil(retryAfterMs / 1000)}s`;
        throw new WireError({ code: "UNAVAILABLE", message, retryable: true, retryAfterMs });
      }
      const read = readNodeEvent(event, payload, payloadJSON);
      switch (read.kind) {
        case "unknown":
          log.warn("an event of a node was refused: nobody knows its kind", { nodeId, event });
          throw invalid(`unknown node event: ${event}`);
        case "invalid":
          throw invalid(`invalid ${event} payload: ${read.why}`);
        case "unused":
          log.info("an event of a node was ignored", { nodeId, event, why: read.why });
          return { ok: true as const, ignored: true as const };
        case "spoken":
          await hearNode(gateway, client, read);
          return { ok: true as const };
      }
    },
  };
}

/** What only a person's approval may say, nobody says through here; and programs are run by administrators only. */
const ONLY_BY_APPROVAL = ["approved", "approvalDecision"];

function checkCaller(command: string, params: unknown, { client }: CallContext): void {
  if (isPowerful(command) && !holdsScope(client.scopes, "operator.admin")) {
    throw invalid("missing scope: operator.admin", { command });
  }
  const claims = typeof params === "object" && params !== null ? params : {};
  const claimed = ONLY_BY_APPROVAL.find((name) => Object.hasOwn(claims, name));
  if (claimed !== undefined && isPowerful(command)) {
    throw invalid(`params.${claimed} is not taken from callers: the node asks for its own approval`, { command });
  }
}

function toWire(outcome: Exclude<InvokeOutcome, { kind: "answered" }>, command: string): WireError {
  switch (outcome.kind) {
    case "unknown-node":
      return invalid("unknown nodeId");
    case "not-allowed":
      return invalid(`node command not allowed: ${outcome.reason}`, {
        reason: outcome.reason,
        command,
        fix: outcome.fix,
      });
    case "not-connected":
      return unavailable("node not connected", { code: "NOT_CONNECTED" });
    case "busy":
      return unavailable("the node has too many calls open", { code: "BUSY" });
    case "timed-out": {
      const message = "node invoke timed out";
      return unavailable(message, { nodeError: { code: "TIMEOUT", message } });
    }
    case "gone": {
      const message = "the node went away before it answered";
      return unavailable(message, { nodeError: { code: "NOT_CONNECTED", message } });
    }
    case "failed":
      return unavailable(outcome.error.message ?? "node invoke failed", { nodeError: outcome.error });
  }
}

function unavailable(message: string, details: object): WireError {
  return new WireError({ code: "UNAVAILABLE", message, details });
}
