// The commands room owns the words that steer the gateway instead of reaching a model: which there are, who may say
// them, and what is answered. What they act on is given as a world.
export { may, type CommandRequester, type CommandSettings, type Permission } from "./authorise.ts";
export type { Command, CommandAnswer } from "./command.ts";
export { describeCommands } from "./describe.ts";
export { createCommands, type CommandOutcome, type Commands, type CommandsParts } from "./front.ts";
export type { CommandCall, Recognition } from "./recognise.ts";
export { COMMANDS } from "./table.ts";
export type {
  ApprovalDecision,
  Budget,
  CommandApprovals,
  CommandConfig,
  CommandHelpers,
  CommandModels,
  CommandWorld,
  ConfigChange,
  ContextReport,
  ConversationBranch,
  ConversationMove,
  ConversationPoint,
  ConversationTree,
  CurrentModel,
  DebugOverrides,
  HelperView,
  ModelChoice,
  PendingApproval,
  Refusal,
  SessionDefaults,
  SessionPatch,
  Spending,
} from "./world.ts";
