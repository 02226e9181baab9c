// The whole config as a table: one lazy schema per top-level key. Types, checks, docs and redaction all start here.
import * as z from "zod";
import { once, type Parsed } from "@chela/sdk";
import { agentsSection } from "./agents.ts";
import { approvalsSection, commandsSection, cronSection, hooksSection } from "./automation.ts";
import { auditSection } from "./audit.ts";
import { budgetsSection } from "./budgets.ts";
import { browserSection } from "./browser.ts";
import { channelsSection } from "./channels/index.ts";
import { authSection, secretsSection } from "./credentials.ts";
import { gatewaySection } from "./gateway.ts";
import { memorySection, pluginsSection, skillsSection } from "./knowledge.ts";
import { text } from "./leaf.ts";
import {
  audioSection,
  bindingsSection,
  broadcastSection,
  mediaSection,
  messagesSection,
  talkSection,
} from "./messages.ts";
import { modelsSection } from "./models.ts";
import { sessionSection } from "./session.ts";
import {
  acpSection,
  canvasHostSection,
  diagnosticsSection,
  discoverySection,
  envSection,
  loggingSection,
} from "./system.ts";
import { metaSection, nodeHostSection, uiSection, updateSection, webSection, wizardSection } from "./system.ts";
import { toolsSection } from "./tools.ts";

export const SECTIONS = {
  $schema: text,
  meta: metaSection,
  env: envSection,
  wizard: wizardSection,
  diagnostics: diagnosticsSection,
  logging: loggingSection,
  update: updateSection,
  browser: browserSection,
  ui: uiSection,
  secrets: secretsSection,
  auth: authSection,
  acp: acpSection,
  models: modelsSection,
  nodeHost: nodeHostSection,
  agents: agentsSection,
  budgets: budgetsSection,
  audit: auditSection,
  tools: toolsSection,
  bindings: bindingsSection,
  broadcast: broadcastSection,
  audio: audioSection,
  media: mediaSection,
  messages: messagesSection,
  commands: commandsSection,
  approvals: approvalsSection,
  session: sessionSection,
  cron: cronSection,
  hooks: hooksSection,
  web: webSection,
  channels: channelsSection,
  discovery: discoverySection,
  canvasHost: canvasHostSection,
  talk: talkSection,
  gateway: gatewaySection,
  memory: memorySection,
  skills: skillsSection,
  plugins: pluginsSection,
} as const;

export type SectionName = keyof typeof SECTIONS;

export type ChelaConfig = { [Name in SectionName]?: Parsed<(typeof SECTIONS)[Name]> };

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(SECTIONS, name);
}

/** The config as one schema. It builds every section, so only docs and editors ask for it. */
export const wholeConfig = once(() =>
  z.strictObject(Object.fromEntries(Object.entries(SECTIONS).map(([name, section]) => [name, section()]))),
);
