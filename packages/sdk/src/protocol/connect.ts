// The handshake: what a client says of itself, and what it is told back.
import * as z from "zod";
import { once, type Parsed } from "../schema.ts";
import { NonEmpty, StateVersion } from "./frames.ts";

export const CLIENT_IDS = [
  "webchat-ui",
  "openclaw-control-ui",
  "webchat",
  "cli",
  "gateway-client",
  "openclaw-macos",
  "openclaw-ios",
  "openclaw-android",
  "node-host",
  "test",
  "fingerprint",
  "openclaw-probe",
] as const;
export const CLIENT_MODES = ["webchat", "cli", "ui", "backend", "node", "probe", "test"] as const;

export const SCOPES = [
  "operator.admin",
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.pairing",
] as const;
export type Scope = (typeof SCOPES)[number];

export const ConnectParams = once(() =>
  z.strictObject({
    minProtocol: z.int().min(1),
    maxProtocol: z.int().min(1),
    client: z.strictObject({
      id: z.enum(CLIENT_IDS),
      displayName: NonEmpty().optional(),
      version: NonEmpty(),
      platform: NonEmpty(),
      deviceFamily: NonEmpty().optional(),
      modelIdentifier: NonEmpty().optional(),
      mode: z.enum(CLIENT_MODES),
      instanceId: NonEmpty().optional(),
    }),
    caps: z.array(NonEmpty()).optional(),
    commands: z.array(NonEmpty()).optional(),
    permissions: z.record(NonEmpty(), z.boolean()).optional(),
    pathEnv: z.string().optional(),
    role: NonEmpty().optional(),
    scopes: z.array(NonEmpty()).optional(),
    device: z
      .strictObject({
        id: NonEmpty(),
        publicKey: NonEmpty(),
        signature: NonEmpty(),
        signedAt: z.int().min(0),
        nonce: NonEmpty(),
      })
      .optional(),
    auth: z
      .strictObject({
        token: z.string().optional(),
        deviceToken: z.string().optional(),
        password: z.string().optional(),
        bootstrapToken: z.string().optional(),
      })
      .optional(),
    locale: z.string().optional(),
    userAgent: z.string().optional(),
  }),
);
export type ConnectParams = Parsed<typeof ConnectParams>;

export const PresenceEntry = once(() =>
  z.looseObject({
    host: z.string().optional(),
    ip: z.string().optional(),
    version: z.string().optional(),
    platform: z.string().optional(),
    deviceFamily: z.string().optional(),
    modelIdentifier: z.string().optional(),
    mode: z.string().optional(),
    lastInputSeconds: z.int().optional(),
    reason: z.string().optional(),
    tags: z.array(z.string()).optional(),
    text: z.string().optional(),
    ts: z.int(),
    deviceId: z.string().optional(),
    roles: z.array(z.string()).optional(),
    scopes: z.array(z.string()).optional(),
    instanceId: z.string().optional(),
  }),
);
export type PresenceEntry = Parsed<typeof PresenceEntry>;

export const HelloOk = once(() =>
  z.object({
    type: z.literal("hello-ok"),
    protocol: z.int(),
    server: z.object({ version: NonEmpty(), host: NonEmpty().optional(), connId: NonEmpty() }),
    features: z.object({ methods: z.array(NonEmpty()), events: z.array(NonEmpty()) }),
    snapshot: z.object({
      presence: z.array(PresenceEntry()),
      health: z.unknown(),
      stateVersion: StateVersion(),
      uptimeMs: z.int(),
      configPath: z.string().optional(),
      stateDir: z.string().optional(),
      sessionDefaults: z
        .object({
          defaultAgentId: z.string(),
          mainKey: z.string(),
          mainSessionKey: z.string(),
          scope: z.string().optional(),
        })
        .optional(),
      authMode: z.enum(["none", "token", "password", "trusted-proxy"]).optional(),
    }),
    auth: z
      .object({
        deviceToken: z.string(),
        role: z.string(),
        scopes: z.array(z.string()),
        issuedAtMs: z.int().optional(),
      })
      .optional(),
    policy: z.object({ maxPayload: z.int(), maxBufferedBytes: z.int(), tickIntervalMs: z.int() }),
  }),
);
export type HelloOk = Parsed<typeof HelloOk>;
