// Every command, once: parsing, help, completion scripts and the reference are made from this table.
import { defined } from "@chela/sdk/base";
import { argumentShape, type CommandSpec } from "@chela/sdk/command-line";
import { AGENT_COMMANDS } from "../command-groups/agent-commands.ts";
import { commands as APPROVAL_COMMANDS } from "../../rooms/approvals/cli/commands.ts";
import { AUDIT_COMMANDS } from "../command-groups/audit-commands.ts";
import { CARE_COMMANDS } from "../command-groups/care-commands.ts";
import { CHANNEL_COMMANDS } from "../command-groups/channel-commands.ts";
import { DIRECTORY_COMMANDS } from "../command-groups/directory-commands.ts";
import { commands as PAIRING_COMMANDS } from "../../rooms/access/cli/commands.ts";
import { commands as DELIVERY_COMMANDS } from "../../rooms/delivery/cli/commands.ts";
import { commands as SEARCH_COMMANDS } from "../../rooms/search/cli/commands.ts";
import { commands as TOOL_COMMANDS } from "../../rooms/tools/cli/commands.ts";
import { CONFIG_COMMANDS } from "../command-groups/config-commands.ts";
import { CREDENTIAL_COMMANDS } from "../command-groups/credential-commands.ts";
import { commands as CRON_COMMANDS } from "../../rooms/cron/cli/commands.ts";
import { DEVICE_COMMANDS, QR_COMMANDS } from "../command-groups/device-commands.ts";
import { GATEWAY_COMMANDS } from "../command-groups/gateway-commands.ts";
import { commands as HOOKS_COMMANDS } from "../../rooms/hooks/cli/commands.ts";
import { commands as MEMORY_COMMANDS } from "../../rooms/memory/cli/commands.ts";
import { commands as MESSAGE_COMMANDS } from "../../rooms/channels/cli/commands.ts";
import { MEMORY_MODEL_COMMANDS } from "../command-groups/memory-model-commands.ts";
import { MODEL_COMMANDS } from "../command-groups/model-commands.ts";
import { commands as PEOPLE_COMMANDS } from "../../rooms/people/cli/commands.ts";
import { SANDBOX_COMMANDS } from "../command-groups/sandbox-commands.ts";
import { SECURITY_COMMANDS } from "../command-groups/security-commands.ts";
import { commands as NODE_COMMANDS } from "../../rooms/nodes/cli/commands.ts";
import { SESSION_COMMANDS } from "../command-groups/session-commands.ts";
import { commands as SYSTEM_COMMANDS } from "../../rooms/heartbeat/cli/commands.ts";
import { TALK_COMMANDS } from "../command-groups/talk-commands.ts";
import { commands as WEBHOOK_COMMANDS } from "../../rooms/webhooks/cli/commands.ts";

export { GLOBAL_FLAGS } from "./shared-flags.ts";

/** In the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  ...GATEWAY_COMMANDS,
  ...TALK_COMMANDS,
  ...CHANNEL_COMMANDS,
  ...PAIRING_COMMANDS,
  ...DELIVERY_COMMANDS,
  ...DIRECTORY_COMMANDS,
  ...PEOPLE_COMMANDS,
  ...MESSAGE_COMMANDS,
  ...SESSION_COMMANDS,
  ...SEARCH_COMMANDS,
  ...MEMORY_COMMANDS,
  ...CRON_COMMANDS,
  ...APPROVAL_COMMANDS,
  ...AUDIT_COMMANDS,
  ...AGENT_COMMANDS,
  ...TOOL_COMMANDS,
  ...MEMORY_MODEL_COMMANDS,
  ...MODEL_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...HOOKS_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...CONFIG_COMMANDS,
  ...DEVICE_COMMANDS,
  ...NODE_COMMANDS,
  ...QR_COMMANDS,
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
      ...defined({ preset }),
    })),
  }));
}
