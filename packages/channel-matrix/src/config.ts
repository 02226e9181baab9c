// Reads an account's settings for this channel.
import { defined } from "@chela/sdk/base";
import { createHash } from "node:crypto";
import * as z from "zod";
import { Secret, commonPolicy, once, type ChannelPolicy, type Configured } from "@chela/sdk";
import type { TableMode } from "@chela/sdk/markdown";
import { isRoomAlias, isRoomId, isUserId } from "./address.ts";
import { readSettings, type WrittenOf } from "@chela/sdk/config";
import { matrixSection } from "./section.ts";

export interface MatrixAccount {
  /** Without a slash at its end. */
  readonly homeserver: string;
  readonly userId?: string;
  readonly login: Login;
  readonly deviceName: string;
  readonly isEncrypting: boolean;
  readonly threadReplies: "off" | "inbound" | "always";
  readonly autoJoin: "off" | "allowlist" | "always";
  /** Ids of inviters and rooms, aliases of rooms, or `*`. */
  readonly autoJoinAllowlist: readonly string[];
  readonly mediaMaxBytes: number;
  /** Absent: as real tables, which Matrix has. */
  readonly tables?: TableMode;
  /** Secrets do not show when an account is compared with what it was; this does. */
  readonly secretsDigest: string;
}

type Login =
  | { readonly kind: "token"; readonly token: Secret }
  | { readonly kind: "password"; readonly password: Secret };

type WrittenMatrixConfig = WrittenOf<typeof matrixSection>;

export function configure(settings: unknown, env: (name: string) => string | undefined): Configured<MatrixAccount> {
  const read = readSettings(matrixSection, settings);
  if (read.kind === "unusable") return incomplete(`${read.where} has a value that cannot be used.`);
  const { settings: account, written } = read;
  const homeserver = readHomeserver(firstOf(written.homeserver, env("MATRIX_HOMESERVER")));
  if (homeserver.kind === "incomplete") return homeserver;
  const userId = firstOf(written.userId, env("MATRIX_USER_ID"));
  if (userId !== undefined && !isUserId(userId)) {
    return incomplete(`userId must be a full Matrix id such as @bot:example.org, not "${userId}".`);
  }
  const login = readLogin(written, userId, env);
  if (login.kind === "incomplete") return login;
  const allowlist = readAllowlist(written.autoJoinAllowlist ?? []);
  if (allowlist.kind === "incomplete") return allowlist;
  const configured: MatrixAccount = {
    homeserver: homeserver.value,
    ...(userId ? { userId } : {}),
    login: login.value,
    deviceName: firstOf(written.deviceName, env("MATRIX_DEVICE_NAME")) ?? account.deviceName,
    isEncrypting: account.encryption,
    threadReplies: account.threadReplies,
    autoJoin: account.autoJoin,
    autoJoinAllowlist: allowlist.value,
    mediaMaxBytes: Math.floor(account.mediaMaxMb * 1024 * 1024),
    ...(account.markdown.tables ? { tables: account.markdown.tables } : {}),
    secretsDigest: digestOf(login.value),
  };
  return { kind: "configured", account: configured };
}

type Incomplete = { readonly kind: "incomplete"; readonly why: string };
type ReadSetting<T> = { readonly kind: "read"; readonly value: T } | Incomplete;

const incomplete = (why: string): Incomplete => ({ kind: "incomplete", why });

function firstOf(...values: ReadonlyArray<string | undefined>): string | undefined {
  return values.map((value) => value?.trim()).find((value) => value);
}

function readHomeserver(written: string | undefined): ReadSetting<string> {
  if (!written) {
    return incomplete("There is no homeserver. Set homeserver to its address, such as https://matrix.example.org.");
  }
  const url = URL.parse(written);
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password) {
    return incomplete(`homeserver must be an address such as https://matrix.example.org.`);
  }
  if (url.protocol === "http:" && !isNear(url.hostname)) {
    return incomplete("homeserver must begin with https:// unless it is in your own network: the token would be seen.");
  }
  return { kind: "read", value: `${url.origin}${url.pathname}`.replace(/\/+$/, "") };
}

/** Whether a host is this computer or in a network of one's own. */
function isNear(hostname: string): boolean {
  return (
    /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\]|\[f[cd])/.test(hostname) ||
    /\.(local|internal|lan|localhost)$/.test(hostname) ||
    !/[.:]/.test(hostname)
  );
}

function readLogin(
  written: WrittenMatrixConfig,
  userId: string | undefined,
  env: (name: string) => string | undefined,
): ReadSetting<Login> {
  const token = firstOf(written.accessToken, env("MATRIX_ACCESS_TOKEN"));
  if (token) {
    // It becomes a header: nothing else may come with it.
    if (!/^[\x21-\x7e]+$/.test(token)) return incomplete("accessToken has characters no token has. Copy it again.");
    return { kind: "read", value: { kind: "token", token: new Secret(token) } };
  }
  const password = written.password ?? env("MATRIX_PASSWORD");
  if (!password) return incomplete("There are no credentials. Set accessToken, or userId and password.");
  if (!userId) return incomplete("A password needs a userId, such as @bot:example.org.");
  return { kind: "read", value: { kind: "password", password: new Secret(password) } };
}

function readAllowlist(written: readonly string[]): ReadSetting<readonly string[]> {
  const entries = written.map((entry) => entry.trim()).filter((entry) => entry !== "");
  const odd = entries.find((entry) => entry !== "*" && !isUserId(entry) && !isRoomId(entry) && !isRoomAlias(entry));
  if (odd === undefined) return { kind: "read", value: entries };
  return incomplete(
    `autoJoinAllowlist has an entry that is neither @person:server, !room:server, #alias:server nor *: "${odd}".`,
  );
}

function digestOf(login: Login): string {
  const secret = login.kind === "token" ? login.token : login.password;
  return createHash("sha256").update(`${login.kind}\n${secret.reveal()}`).digest("hex");
}

const Access = once(() =>
  z.object({
    dm: z
      .object({
        enabled: z.boolean().optional(),
        policy: z.unknown().optional(),
        allowFrom: z.unknown().optional(),
      })
      .optional(),
    allowlistOnly: z.boolean().optional(),
    rooms: z.record(z.string(), z.unknown()).optional(),
    groups: z.record(z.string(), z.unknown()).optional(),
  }),
);

export function policy(settings: unknown): ChannelPolicy {
  const read = Access().safeParse(settings ?? {});
  // What cannot be read is handed on, so that it shuts the account.
  if (!read.success) return commonPolicy({ dmPolicy: null });
  const { dm, rooms, groups, allowlistOnly } = read.data;
  const all = Object.entries({ ...rooms, ...groups });
  const common = commonPolicy({
    ...(settings as object | undefined),
    ...(dm?.policy === undefined ? {} : { dmPolicy: dm.policy }),
    ...(dm?.allowFrom === undefined ? {} : { allowFrom: dm.allowFrom }),
    groups: Object.fromEntries(all.map(([id, room]) => [id, asCommonGroup(room)])),
  });
  const guarded = allowlistOnly ? withoutOpenDoors(common) : common;
  return dm?.enabled === false ? { ...guarded, dm: "disabled" } : guarded;
}

function withoutOpenDoors(common: ChannelPolicy): ChannelPolicy {
  return {
    ...common,
    dm: common.dm === "open" ? "allowlist" : common.dm,
    group: common.group === "open" ? "allowlist" : common.group,
  };
}

/** A room's own words for what other channels call differently. */
function asCommonGroup(room: unknown): unknown {
  if (typeof room !== "object" || room === null) return room;
  const { users, autoReply, allow, ...rest } = room as Record<string, unknown>;
  return {
    ...defined({ allowFrom: users }),
    ...(autoReply === true ? { requireMention: false } : {}),
    ...(allow === false ? { enabled: false } : {}),
    ...rest,
  };
}
