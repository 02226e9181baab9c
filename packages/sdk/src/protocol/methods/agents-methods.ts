// Agents: who there is, and the files they begin with.
import * as z from "zod";
import { once } from "../../schema.ts";
import { NonEmpty } from "../frames.ts";
import { empty, text, flag, type MethodSpec } from "./method-spec.ts";

const AgentIdParam = () => NonEmpty().max(128);

const WorkspaceFile = () =>
  z.looseObject({
    name: z.string(),
    path: z.string(),
    missing: z.boolean(),
    /** In bytes. */
    size: z.int().optional(),
    updatedAtMs: z.number().optional(),
    /** Only where one file is asked for. */
    content: text(),
  });

const Bindings = () => z.array(z.string()).readonly();

const ListedAgent = () =>
  z.looseObject({
    id: z.string(),
    name: text(),
    /** What the configuration says, else the agent's own IDENTITY.md. */
    identity: z
      .looseObject({
        name: text(),
        theme: text(),
        emoji: text(),
        /** As it was written. */
        avatar: text(),
        /** For an img element. */
        avatarUrl: text(),
      })
      .optional(),
    /** Where its files lie; only for those who administer. */
    workspace: text(),
    agentDir: text(),
    /** Missing when it uses the one of all agents. */
    model: text(),
    /** `channel` or `channel:account`, and more when it looks at chats, too. */
    bindings: z.array(z.string()).optional(),
  });

export const AGENTS_METHODS = {
  "agents.list": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Agents and which of them is the default",
    params: empty,
    result: once(() =>
      z.object({
        defaultId: z.string(),
        mainKey: z.string(),
        scope: z.enum(["per-sender", "global"]),
        agents: z.array(ListedAgent()),
      }),
    ),
  },
  "agents.create": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Adds an agent with a workspace of its own",
    params: once(() =>
      z.strictObject({
        name: NonEmpty().max(128),
        workspace: NonEmpty(),
        emoji: text(),
        avatar: text(),
        model: NonEmpty().optional(),
        agentDir: NonEmpty().optional(),
        bind: z.array(NonEmpty()).optional(),
      }),
    ),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        agentId: z.string(),
        name: z.string(),
        workspace: z.string(),
        /** What of `bind` was added, was there already, and leads to another agent. */
        bindings: z.object({ added: Bindings(), skipped: Bindings(), conflicts: Bindings() }),
      }),
    ),
  },
  "agents.update": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Changes what is given of an agent; the rest stays",
    params: once(() =>
      z.strictObject({
        agentId: AgentIdParam(),
        name: NonEmpty().max(128).optional(),
        workspace: NonEmpty().optional(),
        model: NonEmpty().optional(),
        avatar: text(),
        identity: z.strictObject({ name: text(), theme: text(), emoji: text(), avatar: text() }).optional(),
      }),
    ),
    result: once(() => z.looseObject({ ok: z.literal(true), agentId: z.string() })),
  },
  "agents.delete": {
    role: "operator",
    scope: "operator.admin",
    offline: "write",
    says: "Removes an agent; its files and sessions go to the trash folder of the state directory",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), deleteFiles: flag() })),
    result: once(() =>
      z.looseObject({
        ok: z.literal(true),
        agentId: z.string(),
        removedBindings: z.int(),
        /** Where everything went. */
        trash: text(),
        moved: z.array(z.string()),
        /** What still lies where it was, with the reason. */
        left: z.array(z.looseObject({ path: z.string(), why: z.string() })).optional(),
      }),
    ),
  },
  "agents.files.list": {
    role: "operator",
    scope: "operator.read",
    says: "The files of an agent's workspace that shape it",
    params: once(() => z.strictObject({ agentId: AgentIdParam() })),
    result: once(() => z.object({ agentId: z.string(), workspace: z.string(), files: z.array(WorkspaceFile()) })),
  },
  "agents.files.get": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "One of these files with its text",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), name: NonEmpty() })),
    result: once(() => z.object({ agentId: z.string(), workspace: z.string(), file: WorkspaceFile() })),
  },
  "agents.files.set": {
    role: "operator",
    scope: "operator.admin",
    says: "Replaces the text of one of these files",
    params: once(() => z.strictObject({ agentId: AgentIdParam(), name: NonEmpty(), content: z.string() })),
    result: once(() =>
      z.object({ ok: z.literal(true), agentId: z.string(), workspace: z.string(), file: WorkspaceFile() }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;

export const AGENT_IDENTITY_METHODS = {
  "agent.identity.get": {
    role: "operator",
    scope: "operator.read",
    says: "Name and picture of an agent",
    params: once(() => z.strictObject({ agentId: text(), sessionKey: text() })),
    result: once(() =>
      z.looseObject({
        agentId: z.string(),
        name: z.string(),
        /** An address, or a few characters that stand for a picture. */
        avatar: z.string(),
        emoji: text(),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
