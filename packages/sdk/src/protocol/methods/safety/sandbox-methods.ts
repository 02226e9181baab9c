// Methods for sandboxes: where commands are kept, whether that holds, and what stands.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { flag, SessionKeyParam, text, empty, type MethodSpec } from "../method-spec.ts";

const Backend = () => z.enum(["bubblewrap", "docker", "podman"]);
const Check = () =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("ready"), version: z.string(), notes: z.array(z.string()) }),
    /** What is missing, and what to do about it. */
    z.object({ kind: z.literal("unusable"), why: z.string(), fix: z.string() }),
  ]);
const Mount = () => z.object({ outside: z.string(), inside: z.string(), isWritable: z.boolean() });
const Limits = () =>
  z.object({
    memoryBytes: z.number(),
    /** Of the folder that is the sandbox's own. */
    diskBytes: z.number().optional(),
    files: z.number().optional(),
    keepFreeBytes: z.number().optional(),
    processes: z.number(),
    cpuSeconds: z.number(),
    fileBytes: z.number(),
    openFiles: z.number(),
    cpus: z.number().optional(),
  });

export const SANDBOX_METHODS = {
  "sandbox.status": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Which backends can keep a sandbox here, which one is used, and which sandboxes stand",
    params: empty,
    result: once(() =>
      z.object({
        isKeptByDefault: z.boolean(),
        chosen: Backend().optional(),
        backends: z.array(z.object({ id: Backend(), check: Check() })),
        standing: z.array(
          z.object({
            backend: Backend(),
            name: z.string(),
            scope: z.string(),
            isRunning: z.boolean(),
            createdAt: z.number(),
            lastUsedAt: z.number(),
            isOutdated: z.boolean(),
          }),
        ),
      }),
    ),
  },
  "sandbox.explain": {
    role: "operator",
    scope: "operator.read",
    offline: "look",
    says: "Whether a conversation is sandboxed, why, and what it sees there",
    params: once(() => z.strictObject({ sessionKey: SessionKeyParam().optional(), agentId: text() })),
    result: once(() =>
      z.object({
        agentId: z.string(),
        sessionKey: z.string(),
        isSandboxed: z.boolean(),
        why: z.string(),
        backend: Backend().optional(),
        check: Check().optional(),
        scope: text(),
        workdir: text(),
        mounts: z.array(Mount()).optional(),
        /** "none", the hosts that can be reached, or the name of a network. */
        network: text(),
        limits: Limits().optional(),
      }),
    ),
  },
  "sandbox.recreate": {
    role: "operator",
    scope: "operator.admin",
    offline: "look",
    says: "Takes sandboxes down, so that the next command sets them up anew",
    params: once(() =>
      z.strictObject({
        all: flag(),
        sessionKey: SessionKeyParam().optional(),
        agentId: z.string().max(200).optional(),
      }),
    ),
    result: once(() => z.object({ removed: z.int() })),
  },
  "sandbox.selftest": {
    role: "operator",
    scope: "operator.admin",
    offline: "look",
    says: "Tries to escape from a sandbox of its own, in every way that is known; all must fail",
    controlPlane: true,
    params: once(() => z.strictObject({ backend: Backend().optional() })),
    result: once(() =>
      z.object({
        backends: z.array(
          z.object({
            id: Backend(),
            check: Check(),
            tried: z.int(),
            held: z.int(),
            /** Could not be tried here, such as for a missing program. */
            skipped: z.array(z.string()),
            escapes: z.array(z.object({ name: z.string(), what: z.string() })),
          }),
        ),
      }),
    ),
  },
} as const satisfies Record<string, MethodSpec>;
