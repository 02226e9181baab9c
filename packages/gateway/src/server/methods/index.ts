// All method handlers together; the type of the result makes sure that none is missing.
import type { Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";
import type { ListeningPlace } from "../setup-url.ts";
import { ROOMS } from "../../house/contributions.ts";
import { collectHandlers } from "./collect.ts";
import { agentMethods } from "./agent.ts";
import { chatMethods } from "./chat.ts";
import { deviceMethods } from "./devices.ts";
import { later } from "./later.ts";

/** `place` is where the gateway listens right now. */
export function createHandlers(gateway: House, place: () => ListeningPlace): Handlers {
  return {
    ...collectHandlers(gateway, ROOMS),
    ...agentMethods(gateway),
    ...chatMethods(gateway),
    // Loaded before anybody calls: what takes a grant away must not be overtaken by what was sent behind it.
    ...deviceMethods(gateway),
    ...later(
      [
        "config.get",
        "config.check",
        "config.set",
        "config.apply",
        "config.patch",
        "config.schema",
        "config.schema.lookup",
      ],
      async () => (await import("./config.ts")).configMethods(gateway),
    ),
    ...later(
      [
        "sessions.list",
        "sessions.preview",
        "sessions.resolve",
        "sessions.patch",
        "sessions.reset",
        "sessions.delete",
        "sessions.compact",
      ],
      async () => (await import("./sessions.ts")).sessionMethods(gateway),
    ),
    ...later(["health", "status", "system-presence", "gateway.identity.get", "system-event"], async () =>
      (await import("./system.ts")).systemMethods(gateway),
    ),
    ...later(["access.code"], async () => (await import("./access.ts")).accessMethods(gateway)),
    ...later(
      [
        "agents.list",
        "agents.create",
        "agents.update",
        "agents.delete",
        "agents.files.list",
        "agents.files.get",
        "agents.files.set",
        "agent.identity.get",
      ],
      async () => (await import("./agents.ts")).agentsMethods(gateway),
    ),
    ...later(["chat.watch", "chat.unwatch", "chat.page", "chat.entry"], async () =>
      (await import("./conversation.ts")).conversationMethods(gateway),
    ),
    ...later(
      [
        "exec.approvals.get",
        "exec.approvals.set",
        "exec.approval.request",
        "exec.approval.waitDecision",
        "exec.approval.resolve",
        "exec.approval.list",
      ],
      async () => (await import("./approvals.ts")).approvalMethods(gateway),
    ),
    ...later(["sandbox.status", "sandbox.explain", "sandbox.recreate", "sandbox.selftest"], async () =>
      (await import("./sandbox.ts")).sandboxMethods(gateway),
    ),
    ...later(
      [
        "credentials.list",
        "credentials.add",
        "credentials.remove",
        "credentials.verify",
        "credentials.rotate",
        "credentials.import",
      ],
      async () => (await import("./credentials.ts")).credentialMethods(gateway),
    ),
    ...later(["audit.list", "audit.verify"], async () => (await import("./audit.ts")).auditMethods(gateway)),
    ...later(
      [
        "memory.status",
        "doctor.memory.status",
        "memory.search",
        "memory.index",
        "memory.rebuild",
        "memory.check",
        "memory.notes.list",
        "memory.notes.get",
        "memory.notes.set",
        "memory.notes.delete",
        "memory.subjects",
        "memory.facts",
        "memory.block",
        "memory.forget",
      ],
      async () => (await import("./memory.ts")).memoryMethods(gateway),
    ),
    ...later(["send", "poll", "message.action"], async () => (await import("./messages.ts")).messageMethods(gateway)),
    ...later(
      [
        "channels.status",
        "channels.logout",
        "channels.capabilities",
        "channels.resolve",
        "channels.setup",
        "channels.check",
        "web.login.start",
        "web.login.wait",
      ],
      async () => (await import("./channels.ts")).channelMethods(gateway),
    ),
    ...later(
      ["directory.self", "directory.users", "directory.groups", "directory.members", "routing.explain"],
      async () => (await import("./directory.ts")).directoryMethods(gateway),
    ),
    ...later(["last-heartbeat", "heartbeat.status", "set-heartbeats", "wake"], async () =>
      (await import("./heartbeat.ts")).heartbeatMethods(gateway),
    ),
    ...later(["logs.tail", "logs.follow", "logs.unfollow"], async () =>
      (await import("./logs.ts")).logMethods(gateway),
    ),
    ...later(["pairing.list", "pairing.approve", "pairing.reject"], async () =>
      (await import("./pairing.ts")).pairingMethods(gateway),
    ),
    ...later(["people.list", "people.put", "people.delete", "people.link", "people.suggest"], async () =>
      (await import("./people.ts")).peopleMethods(gateway),
    ),
    ...later(["hooks.list", "hooks.info", "hooks.check", "hooks.enable", "hooks.disable"], async () =>
      (await import("./hooks.ts")).hookMethods(gateway),
    ),
    ...later(
      [
        "node.pair.request",
        "node.pair.list",
        "node.pair.approve",
        "node.pair.reject",
        "node.pair.verify",
        "node.pair.remove",
        "node.rename",
        "node.list",
        "node.describe",
        "node.invoke",
        "node.invoke.result",
        "node.event",
      ],
      async () => (await import("./nodes.ts")).nodeMethods(gateway),
    ),
    ...later(["device.setup.create"], async () => (await import("./device-setup.ts")).setupCodeMethods(gateway, place)),
    ...later(["media.get"], async () => (await import("./media.ts")).mediaMethods(gateway)),
    ...later(["commands.list"], async () => (await import("./commands.ts")).commandMethods(gateway)),
    ...later(["models.list", "models.retry"], async () => (await import("./models.ts")).modelMethods(gateway)),
    ...later(["deliveries.list", "deliveries.resend"], async () =>
      (await import("./deliveries.ts")).deliveryMethods(gateway),
    ),
    ...later(["runs.list", "runs.explain"], async () => (await import("./runs.ts")).runMethods(gateway)),
    ...later(["security.audit", "security.fix"], async () =>
      (await import("./security.ts")).securityMethods(gateway, place),
    ),
    ...later(
      ["sessions.branches", "sessions.checkpoint", "sessions.checkpoint.patch", "sessions.rewind", "sessions.switch"],
      async () => (await import("./session-tree.ts")).sessionTreeMethods(gateway),
    ),
    ...later(
      [
        "sessions.create",
        "sessions.send",
        "sessions.steer",
        "sessions.abort",
        "sessions.get",
        "sessions.subscribe",
        "sessions.unsubscribe",
        "sessions.messages.subscribe",
        "sessions.messages.unsubscribe",
      ],
      async () => (await import("./session-live.ts")).sessionLiveMethods(gateway),
    ),
    ...later(["secrets.reload", "secrets.resolve"], async () => (await import("./secrets.ts")).secretMethods(gateway)),
    ...later(["sessions.deleted", "sessions.restore", "sessions.search"], async () =>
      (await import("./session-history.ts")).sessionHistoryMethods(gateway),
    ),
    ...later(["sessions.usage", "sessions.usage.timeseries", "sessions.usage.logs"], async () =>
      (await import("./session-usage.ts")).sessionUsageMethods(gateway),
    ),
    ...later(["setup.status", "setup.scan", "setup.test", "setup.apply"], async () =>
      (await import("./setup.ts")).setupMethods(gateway),
    ),
    ...later(["subagents.list", "subagents.kill", "subagents.steer"], async () =>
      (await import("./subagents.ts")).subagentMethods(gateway),
    ),
    ...later(["tools.catalog", "tools.explain"], async () => (await import("./tools.ts")).toolMethods(gateway)),
    ...later(["webhooks.list", "webhooks.test"], async () => (await import("./webhooks.ts")).webhookMethods(gateway)),
    ...later(["usage.status", "usage.cost", "usage.by", "usage.budgets"], async () =>
      (await import("./usage.ts")).usageMethods(gateway),
    ),
  };
}
