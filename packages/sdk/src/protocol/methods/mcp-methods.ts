// Methods about MCP servers: which there are, what of them is approved, and how somebody signs in to one.
import * as z from "zod";
import { once } from "../../schema.ts";
import { empty, flag, text, type MethodSpec } from "./method-spec.ts";

const Name = () => z.string().min(1).max(120);
const Named = once(() => z.strictObject({ name: Name() }));

const HeldTool = () =>
  z.object({
    name: z.string(),
    kind: z.enum(["new", "changed", "gone"]),
    diff: z.array(z.object({ field: z.string(), before: text(), after: text() })),
  });

const Server = () =>
  z.object({
    name: z.string(),
    /** Apart from others of that name in the workspaces of other agents. */
    id: z.string(),
    /** A place of the configuration, or a file. */
    where: z.string(),
    enabled: z.boolean(),
    /** False for one that cannot be used as it is written. */
    ok: z.boolean(),
    why: text(),
    transport: z.enum(["stdio", "http", "sse"]).optional(),
    /** The command with its arguments, or the address. */
    launch: text(),
    state: z.enum(["idle", "starting", "running", "resting"]),
    pid: z.int().optional(),
    /** What keeps its process; absent when it runs on the machine itself, or does not run. */
    sandbox: text(),
    approved: z.boolean(),
    tools: z.int(),
    /** Tools that wait for somebody's yes. */
    held: z.int(),
    resources: z.boolean(),
    prompts: z.boolean(),
    server: z.object({ name: z.string(), version: z.string() }).optional(),
    protocol: text(),
    auth: z.enum(["none", "headers", "signed-in", "wanted"]),
  });

const Standing = () =>
  z.object({ name: z.string(), approved: z.boolean(), tools: z.array(z.string()), held: z.array(HeldTool()) });

export const MCP_METHODS = {
  "mcp.status": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Which MCP servers there are, and how each one is; none is started for it",
    params: once(() => z.strictObject({ name: Name().optional() })),
    result: once(() => z.object({ servers: z.array(Server()) })),
  },
  "mcp.tools": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "What a server offers: what may be used, and what waits for somebody's yes, with what changed",
    params: Named,
    result: once(() =>
      z.object({
        name: z.string(),
        approved: z.boolean(),
        /** What may be used. `as` is the name under which models know it. */
        tools: z.array(z.object({ name: z.string(), as: z.string(), description: z.string() })),
        held: z.array(HeldTool()),
      }),
    ),
  },
  "mcp.probe": {
    role: "operator",
    scope: "operator.admin",
    says: "Starts a server, if it does not run, and looks at what it offers now",
    params: Named,
    result: once(() => Standing()),
  },
  "mcp.approve": {
    role: "operator",
    scope: "operator.admin",
    says: "Lets agents use what a server offers: all of it, or the named tools",
    params: once(() =>
      z.strictObject({ name: Name(), tools: z.array(z.string().min(1).max(512)).max(2000).optional() }),
    ),
    result: once(() => Standing()),
  },
  "mcp.revoke": {
    role: "operator",
    scope: "operator.admin",
    says: "Takes back what was approved of a server",
    params: Named,
    result: once(() => z.object({ name: z.string() })),
  },
  "mcp.put": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Writes a server into the configuration, or changes what is written of it; null takes a key away",
    controlPlane: true,
    params: once(() => z.strictObject({ name: Name(), server: z.record(z.string(), z.unknown()) })),
    result: once(() => z.object({ name: z.string(), added: z.boolean() })),
  },
  "mcp.remove": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    says: "Takes a server out of the configuration",
    controlPlane: true,
    params: Named,
    result: once(() => z.object({ name: z.string() })),
  },
  "mcp.login": {
    role: "operator",
    scope: "operator.admin",
    says: "Begins a sign-in to a server: the address a person opens",
    params: Named,
    result: once(() => z.object({ name: z.string(), url: z.string() })),
  },
  "mcp.login.finish": {
    role: "operator",
    scope: "operator.admin",
    says: "Ends a sign-in with the address the browser was sent back to",
    params: once(() => z.strictObject({ url: z.string().min(1).max(8000) })),
    result: once(() => z.object({ name: z.string() })),
  },
  "mcp.logout": {
    role: "operator",
    scope: "operator.admin",
    says: "Forgets a sign-in to a server",
    params: Named,
    result: once(() => z.object({ name: z.string(), wasSignedIn: flag() })),
  },
  "mcp.answer": {
    role: "operator",
    scope: "operator.approvals",
    says: "Answers what a server asks, by the fields of its form; exec.approval.resolve says no",
    params: once(() => z.strictObject({ id: z.string().min(4).max(200), content: z.record(z.string(), z.unknown()) })),
    result: once(() => z.object({ id: z.string() })),
  },
  "mcp.reload": {
    role: "operator",
    scope: "operator.admin",
    says: "Lets go of all servers, so that each is started anew with the next call",
    params: empty,
    result: once(() => z.object({ servers: z.int() })),
  },
} as const satisfies Record<string, MethodSpec>;
