// Public interface for authors of channels, models, tools and stores: the seams, the schemas, the errors.
export { once, type Lazy, type Parsed } from "./schema.ts";
export {
  ERRORS,
  GatewayError,
  isBug,
  isStoreFailing,
  toGatewayError,
  UNFORESEEN,
  type Blame,
  type ErrorCode,
  type Retry,
} from "./errors.ts";
export { Secret } from "./secret.ts";
export type { Clock, Ids, Logger, LogLevel } from "./time.ts";
export { pause } from "./pause.ts";
export { OneAtATime } from "./channel-kit/one-at-a-time.ts";
export * from "./messages.ts";
export * from "./transcript.ts";
export * from "./session.ts";
export * from "./session-key.ts";
export * from "./errands.ts";
export * from "./contribution/errand-handler.ts";
export * from "./contribution/service.ts";
export * from "./contribution/hook-event.ts";
export * from "./cron.ts";
export * from "./ledger.ts";
export * from "./model.ts";
export * from "./contribution/tool.ts";
export * from "./contribution/typed-hook.ts";
export * from "./contribution/chat-command.ts";
export type { ClientAddress, HolderCall, HttpCall, HttpRoute } from "./contribution/http-route.ts";
export * from "./contribution/security-check.ts";
export type { DoctorCall, DoctorCheck, DoctorLine } from "./contribution/doctor.ts";
export * from "./exec.ts";
export * from "./sandbox.ts";
export * from "./audit.ts";
export * from "./people.ts";
export * from "./pressed-words.ts";
export * from "./requester.ts";
export * from "./channel.ts";
export { commonPolicy, DirectSettings, groupPolicyOf, idList } from "./channel-policy.ts";
export { methods, type Contribution, type MethodFamily, type TopicSources } from "./contribution/contribution.ts";
