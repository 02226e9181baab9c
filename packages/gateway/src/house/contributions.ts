// The rooms of this gateway, in order: a room may know the types of those before it. What has an effect is what one of them brings.
import type { Contribution } from "@chela/sdk";
import { contribution as acp } from "../rooms/acp/contribution.ts";
import { contribution as access } from "../rooms/access/contribution.ts";
import { contribution as agent } from "../rooms/agent/contribution.ts";
import { contribution as approvals } from "../rooms/approvals/contribution.ts";
import { contribution as audit } from "../rooms/audit/contribution.ts";
import { contribution as budgets } from "../rooms/budgets/contribution.ts";
import { contribution as channels } from "../rooms/channels/contribution.ts";
import { contribution as commands } from "../rooms/commands/contribution.ts";
import { contribution as config } from "../rooms/config/contribution.ts";
import { contribution as cron } from "../rooms/cron/contribution.ts";
import { contribution as delivery } from "../rooms/delivery/contribution.ts";
import { contribution as devices } from "../rooms/devices/contribution.ts";
import { contribution as errands } from "../rooms/errands/contribution.ts";
import { contribution as heartbeat } from "../rooms/heartbeat/contribution.ts";
import { contribution as hooks } from "../rooms/hooks/contribution.ts";
import { contribution as ledger } from "../rooms/ledger/contribution.ts";
import { contribution as media } from "../rooms/media/contribution.ts";
import { contribution as memory } from "../rooms/memory/contribution.ts";
import { contribution as models } from "../rooms/models/contribution.ts";
import { contribution as nodes } from "../rooms/nodes/contribution.ts";
import { contribution as people } from "../rooms/people/contribution.ts";
import { contribution as routing } from "../rooms/routing/contribution.ts";
import { contribution as sandbox } from "../rooms/sandbox/contribution.ts";
import { contribution as search } from "../rooms/search/contribution.ts";
import { contribution as securityAudit } from "../rooms/security-audit/contribution.ts";
import { contribution as sessions } from "../rooms/sessions/contribution.ts";
import { contribution as subagents } from "../rooms/subagents/contribution.ts";
import { contribution as tools } from "../rooms/tools/contribution.ts";
import { contribution as vault } from "../rooms/vault/contribution.ts";
import { contribution as webhooks } from "../rooms/webhooks/contribution.ts";
import { contribution as workspace } from "../rooms/workspace/contribution.ts";
import { contribution as flow } from "../flow/contribution.ts";
import { contribution as server } from "../server/contribution.ts";
import type { House } from "./house.ts";

export const ROOMS: ReadonlyArray<Contribution<House>> = [
  config,
  vault,
  ledger,
  audit,
  people,
  access,
  routing,
  workspace,
  sessions,
  models,
  budgets,
  agent,
  approvals,
  sandbox,
  tools,
  media,
  delivery,
  channels,
  commands,
  devices,
  nodes,
  hooks,
  errands,
  cron,
  heartbeat,
  webhooks,
  subagents,
  acp,
  search,
  memory,
  securityAudit,
];

/** Everything that is brought: by rooms, by the way through them, and by the door. */
export const CONTRIBUTIONS: ReadonlyArray<Contribution<House>> = [...ROOMS, flow, server];
