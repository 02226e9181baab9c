// Rules for commands in plain words, and whose word they are.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { InForce, Policy } from "./policy.ts";

type ApprovalsWords = InOtherWords<Sections["approvals"]>;

export function renderPolicy(policy: Policy, forWhom: string, words: ApprovalsWords): TemplateResult {
  const { security, ask, askFallback } = policy;
  const isOpen = security.value === "full" && ask.value !== "always";
  const isAsked = security.value !== "deny" && ask.value !== "off" && !isOpen;
  const told: ReadonlyArray<readonly [string, InForce]> = [
    [words.rule_security, security],
    ...(security.value === "deny" || isOpen ? [] : [[words.rule_ask, ask] as const]),
    ...(isAsked ? [[words.rule_askFallback, askFallback] as const] : []),
  ];
  return html`<div class="approvals-policy" data-tone=${isOpen ? "bad" : "good"}>
    ${icon(isOpen ? "warning" : "approvals")}
    <div>
      <p><strong>${forWhom}</strong> ${sentenceOf(policy, words)}</p>
      ${isAsked ? html`<p>${words[`holds_fallback_${askFallback.value}`]}</p>` : nothing}
      <ul class="approvals-sources hint">
        ${told.map(
          ([rule, { places }]) =>
            html`<li>${words.saidBy(rule, places.map((place) => words[`place_${place}`]).join(words.and))}</li>`,
        )}
      </ul>
    </div>
  </div>`;
}

function sentenceOf({ security, ask }: Policy, words: ApprovalsWords): string {
  if (security.value === "deny") return words.holds_nothing;
  if (ask.value === "always") return words.holds_always;
  if (security.value === "full") return words.holds_everything;
  return ask.value === "off" ? words.holds_listOnly : words.holds_listOrAsk;
}
