// The whole config as a table: one lazy schema per top-level key. Types, checks, docs and redaction all start here.
import { once, type Parsed } from "@chela/sdk";
import { agentsSection } from "./agents.ts";
import { acpSection, approvalsSection, commandsSection, cronSection, hooksSection } from "./automation.ts";
import { auditSection } from "./audit.ts";
import { budgetsSection } from "./budgets.ts";
import { channelsSection } from "./channels.ts";
import { authSection, secretsSection } from "./credentials.ts";
import { gatewaySection } from "./gateway.ts";
import { memorySection } from "./knowledge.ts";
import { keyed, part, section, text } from "@chela/sdk/config";
import { audioSection, bindingsSection, mediaSection, messagesSection } from "./messages.ts";
import { modelsSection } from "./models.ts";
import { sessionSection } from "./session.ts";
import { envSection, loggingSection, metaSection, uiSection, wizardSection } from "./system.ts";
import { toolsSection } from "./tools.ts";

export const SECTIONS = {
  $schema: section("Where an editor finds the JSON Schema of this file.", { reload: "live", guards: false }, text),
  meta: metaSection,
  env: envSection,
  wizard: wizardSection,
  logging: loggingSection,
  ui: uiSection,
  secrets: secretsSection,
  auth: authSection,
  models: modelsSection,
  agents: agentsSection,
  budgets: budgetsSection,
  audit: auditSection,
  tools: toolsSection,
  bindings: bindingsSection,
  audio: audioSection,
  media: mediaSection,
  messages: messagesSection,
  commands: commandsSection,
  approvals: approvalsSection,
  session: sessionSection,
  acp: acpSection,
  cron: cronSection,
  hooks: hooksSection,
  channels: channelsSection,
  gateway: gatewaySection,
  memory: memorySection,
} as const;

export type SectionName = keyof typeof SECTIONS;

export type ChelaConfig = { [Name in SectionName]?: Parsed<(typeof SECTIONS)[Name]["schema"]> };

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(SECTIONS, name);
}

/** The config as one schema. It builds every section, so only docs and editors ask for it. */
export const wholeConfig = once(() =>
  keyed(Object.fromEntries(Object.entries(SECTIONS).map(([name, { schema, facts }]) => [name, part(schema(), facts)]))),
);
