// Applies a mapping to a request: its templates filled, its transform asked, the text marked as what it is.
import { defined } from "@chela/sdk/base";
import type { Ids } from "@chela/sdk";
import { wrapExternalContent } from "../../../base/text/external-content.ts";
import type { Mapping } from "./mapping.ts";
import {
  planAgent,
  planWake,
  type AgentPlan,
  type KeyOrigin,
  type PlanWorld,
  type Refused,
  type WakePlan,
} from "../plan.ts";
import type { HookRules } from "../read-rules.ts";
import { fillLines, fillTemplate, type TemplateWorld } from "./template.ts";
import type { Overrides } from "../wish.ts";

export type Plan = AgentPlan | WakePlan;

const LONGEST_KEY_PART = 120;

export function planMapping(
  mapping: Mapping,
  template: TemplateWorld,
  overrides: Overrides,
  rules: HookRules,
  world: PlanWorld,
): Plan | Refused {
  const wish = defined(overrides);
  const rendered = render(mapping.text, template);
  const action = wish.kind ?? wish.action ?? mapping.action;
  const name = wish.name ?? fillTemplate(mapping.name, template);
  if (action === "wake") {
    const text = wish.text ?? wish.message ?? rendered;
    const mode = wish.mode ?? wish.wakeMode ?? mapping.wakeMode;
    if (text.trim() === "") return { kind: "refused", error: "hook mapping requires text" };
    return planWake({ text, mode, name, agentId: wish.agentId ?? mapping.agentId }, rules, world);
  }
  const message = wish.message ?? wish.text ?? rendered;
  if (message.trim() === "") return { kind: "refused", error: "hook mapping requires message" };
  const key = wish.sessionKey ?? (mapping.sessionKey && fillTemplate(mapping.sessionKey, template, keyPart));
  const { to, channel, model, thinking, timeoutSeconds } = { ...ownFields(mapping, template), ...wish };
  const plan = planAgent(
    {
      message,
      name,
      to,
      channel,
      model,
      timeoutSeconds,
      thinking: thinking as Overrides["thinking"],
      deliver: wish.deliver ?? mapping.deliver,
      wakeMode: wish.wakeMode ?? wish.mode ?? mapping.wakeMode,
      agentId: wish.agentId ?? mapping.agentId,
      sessionKey: key,
    },
    keyOriginOf(mapping, wish),
    rules,
    world,
  );
  return plan.kind === "agent" && mapping.tools ? { ...plan, tools: mapping.tools } : plan;
}

/** A text from outside is data, whatever it says; what the operator wrote stands before it. */
export function markText(
  text: string,
  name: string,
  mapping: Pick<Mapping, "isTrusted" | "instructions"> | undefined,
  ids: Pick<Ids, "secretHex">,
): string {
  const marked = mapping?.isTrusted
    ? text
    : wrapExternalContent(text, { source: "Webhook", about: { Name: name } }, ids);
  return mapping?.instructions ? `${mapping.instructions}\n\n${marked}` : marked;
}

function render(text: Mapping["text"], world: TemplateWorld): string {
  if (!text) return "";
  return "lines" in text ? fillLines(text.lines, world) : fillTemplate(text.template, world);
}

function ownFields({ to, channel, model, thinking, timeoutSeconds }: Mapping, world: TemplateWorld) {
  const fill = (written = "") => fillTemplate(written, world).trim() || undefined;
  return { to: fill(to), channel, model: fill(model), thinking, timeoutSeconds };
}

/** What begins with the operator's own words stays theirs; a template has to begin with an allowed one. */
function keyOriginOf({ sessionKey }: Mapping, overrides: Overrides): KeyOrigin {
  if (overrides.sessionKey !== undefined) return "template";
  return sessionKey?.includes("{{") ? "template" : "mapping";
}

/** A value inside a key cannot make further parts of it. */
function keyPart(value: string): string {
  return value
    .replace(/[^\w.@+=-]+/g, "-")
    .replace(/\.{2,}/g, ".")
    .slice(0, LONGEST_KEY_PART);
}
