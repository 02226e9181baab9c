// Credentials in the vault and their health. No answer ever holds a value.
import * as z from "zod";
import { once } from "../../../schema.ts";
import { NonEmpty } from "../../frames.ts";
import { empty, flag, text, type MethodSpec } from "../method-spec.ts";

const Kind = () => z.enum(["value", "env", "file", "exec", "keyring"]);
const Key = () => z.enum(["file", "keyring", "passphrase"]);
const Status = () => z.enum(["unverified", "verified", "failed"]);
const Id = () => NonEmpty().max(200);
const moment = () => z.number().optional();

/** `detail` is the agent whose models, or the account whose channel it is, when it is only for one. */
const Enabled = () =>
  z.strictObject({
    kind: z.enum(["models", "channel", "tool", "media", "door", "remote", "webhooks", "memory", "sandbox", "other"]),
    name: text(),
    detail: text(),
  });

const Need = () =>
  z.strictObject({
    kind: z.enum(["model", "channel", "tool"]),
    name: z.string(),
    detail: text(),
    why: z.string(),
    fix: z.string(),
  });

const Credential = () =>
  z.strictObject({
    id: z.string(),
    service: z.string(),
    account: text(),
    kind: Kind(),
    /** Where a pointer points. */
    points: text(),
    capabilities: z.array(z.string()),
    /** The only address it is sent to. */
    origin: text(),
    status: Status(),
    verifiedAt: moment(),
    lastUsedAt: moment(),
    lastError: text(),
    createdAt: z.number(),
    updatedAt: z.number(),
    /** Places that refer to it. */
    usedBy: z.array(z.string()),
    /** What these places make possible: models, channels, tools. */
    enables: z.array(Enabled()),
  });

const contents = () => ({
  /** The value itself. */
  value: NonEmpty().max(65_536).optional(),
  /** Name of a variable. */
  env: NonEmpty().max(200).optional(),
  /** Absolute path of a file. */
  file: NonEmpty().max(4096).optional(),
  /** Absolute path of a program, and its arguments. */
  exec: z.array(z.string().max(4096)).min(1).max(64).optional(),
  keyring: z.strictObject({ service: NonEmpty().max(200), account: z.string().max(200) }).optional(),
});

export const CREDENTIAL_METHODS = {
  "credentials.list": {
    role: "operator",
    scope: "operator.admin",
    offline: "look",
    params: empty,
    result: once(() =>
      z.strictObject({
        credentials: z.array(Credential()),
        /** Who keeps the key of the vault; absent while there is nothing to close. */
        key: Key().optional(),
        /** Secrets that lie in files in plain text. */
        plain: z.array(z.strictObject({ where: z.string(), file: z.string() })),
        /** What is configured and waits for a credential. */
        missing: z.array(Need()),
      }),
    ),
    says: "Credentials, their health, who uses them, what they make possible, and what waits for one; never a value",
  },
  "credentials.add": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    params: once(() =>
      z.strictObject({
        id: Id(),
        service: NonEmpty().max(200),
        account: z.string().max(200).optional(),
        capabilities: z.array(NonEmpty().max(100)).max(50).optional(),
        origin: NonEmpty().max(500).optional(),
        replace: flag(),
        ...contents(),
      }),
    ),
    result: once(() => z.strictObject({ credential: Credential() })),
    says: "Keeps a credential: a value, or a pointer to one (exactly one of value, env, file, exec, keyring)",
  },
  "credentials.remove": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    params: once(() => z.strictObject({ id: Id(), force: flag() })),
    result: once(() => z.strictObject({ id: z.string() })),
    says: "Removes a credential; one that is used only with force",
  },
  "credentials.verify": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    params: once(() => z.strictObject({ id: Id() })),
    result: once(() => z.strictObject({ id: z.string(), status: Status(), why: text() })),
    says: "Asks the service whether it takes a credential, and keeps the answer",
  },
  "credentials.rotate": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    params: once(() => z.strictObject({ key: Key().optional() })),
    result: once(() => z.strictObject({ values: z.number(), key: Key() })),
    says: "Closes all values with a new key",
    controlPlane: true,
  },
  "credentials.import": {
    role: "operator",
    scope: "operator.admin",
    offline: "note",
    params: empty,
    result: once(() => z.strictObject({ moved: z.array(z.strictObject({ where: z.string(), id: z.string() })) })),
    says: "Moves secrets that lie in files in plain text into the vault, and leaves references behind",
    controlPlane: true,
  },
} satisfies Record<string, MethodSpec>;
