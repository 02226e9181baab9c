// Every command, once: parsing, help, completion scripts and the reference are made from this table.
import { argumentShape, type CommandSpec } from "./command-spec.ts";
import { AGENT_COMMANDS } from "./command-groups/agent-commands.ts";
import { APPROVAL_COMMANDS } from "./command-groups/approval-commands.ts";
import { AUDIT_COMMANDS } from "./command-groups/audit-commands.ts";
import { CARE_COMMANDS } from "./command-groups/care-commands.ts";
import { CHANNEL_COMMANDS } from "./command-groups/channel-commands.ts";
import { CONFIG_COMMANDS } from "./command-groups/config-commands.ts";
import { CREDENTIAL_COMMANDS } from "./command-groups/credential-commands.ts";
import { CRON_COMMANDS } from "./command-groups/cron-commands.ts";
import { DEVICE_COMMANDS } from "./command-groups/device-commands.ts";
import { GATEWAY_COMMANDS } from "./command-groups/gateway-commands.ts";
import { HOOKS_COMMANDS } from "./command-groups/hooks-commands.ts";
import { MEMORY_COMMANDS } from "./command-groups/memory-commands.ts";
import { MESSAGE_COMMANDS } from "./command-groups/message-commands.ts";
import { MODEL_COMMANDS } from "./command-groups/model-commands.ts";
import { PEOPLE_COMMANDS } from "./command-groups/people-commands.ts";
import { SANDBOX_COMMANDS } from "./command-groups/sandbox-commands.ts";
import { SECURITY_COMMANDS } from "./command-groups/security-commands.ts";
import { NODE_COMMANDS } from "./command-groups/node-commands.ts";
import { SESSION_COMMANDS } from "./command-groups/session-commands.ts";
import { SYSTEM_COMMANDS } from "./command-groups/system-commands.ts";
import { TALK_COMMANDS } from "./command-groups/talk-commands.ts";
import { WEBHOOK_COMMANDS } from "./command-groups/webhook-commands.ts";

export { GLOBAL_FLAGS } from "./command-groups/shared-flags.ts";

/** In the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...GATEWAY_COMMANDS,
  ...TALK_COMMANDS,
  ...CHANNEL_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...SESSION_COMMANDS,
  ...MEMORY_COMMANDS,
  ...CRON_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...AUDIT_COMMANDS,
  ...AGENT_COMMANDS,
  ...MODEL_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...HOOKS_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CONFIG_COMMANDS,
  ...DEVICE_COMMANDS,
  ...NODE_COMMANDS,
  ...SANDBOX_COMMANDS,
  ...SECURITY_COMMANDS,
  ...SYSTEM_COMMANDS,
  ...CARE_COMMANDS,
];

export interface ReferenceRow {
  readonly command: string;
  readonly summary: string;
  readonly flags: ReadonlyArray<{ readonly flag: string; readonly help: string; readonly preset?: string }>;
}

/** For the generated reference: every command with its flags. */
export function commandReference(): ReferenceRow[] {
  return COMMANDS.map(({ path, args = [], summary, flags = [] }) => ({
    command: ["chela", ...path, ...args.map(argumentShape)].join(" "),
    summary,
    flags: flags.map(({ name, short, value, help, preset, choices, unused }) => ({
      flag: `${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}`,
      help: `${choices ? `${help} (${choices.join(", ")})` : help}${unused === undefined ? "" : " (no effect yet)"}`,
      ...(preset === undefined ? {} : { preset }),
    })),
  }));
}
