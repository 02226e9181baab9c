// Outcome of a request to a webhook, as it was or would be.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type TemplateResult } from "lit";
import { shortKey } from "../../state/session-title.ts";
import type { AutomationWords, Tone } from "./beat-words.ts";
import { schemeName, type Names } from "./webhook-facts.ts";

type Trial = MethodAnswer<"webhooks.test">;

const TONES: Readonly<Record<Trial["outcome"], Tone>> = {
  agent: "good",
  wake: "good",
  greeting: "info",
  dropped: "info",
  refused: "bad",
  failed: "bad",
  "not-found": "bad",
};

/** `takenBy` is the name of what takes it. */
export function renderTrial(trial: Trial, texts: AutomationWords, names: Names, takenBy: string): TemplateResult {
  const { outcome, why, agentId, sessionKey, model, text, wakeMode, answer } = trial;
  const goes = deliveryWords(trial, texts, names);
  return html`<div class="stack automation-trial">
    <div class="row wrap">
      <span class="badge ${TONES[outcome]}">${texts[`outcome_${outcome}`]}</span>
      ${why ? html`<span>${why}</span>` : nothing}
    </div>
    <dl class="pairs">
      ${outcome === "not-found" ? nothing : renderPair(texts.takenBy, takenBy)}
      ${renderPair(texts.proof, proofWords(trial.proof, texts))}
      ${agentId ? renderPair(texts.agent, names.agent(agentId)) : nothing}
      ${sessionKey ? renderPair(texts.conversation, html`<code>${sessionKey}</code>`) : nothing}
      ${wakeMode && outcome === "wake" ? renderPair(texts.when, texts[`wake_${wakeMode}`]) : nothing}
      ${model ? renderPair(texts.model, model) : nothing} ${goes ? renderPair(texts.delivery, goes) : nothing}
    </dl>
    ${
      text
        ? html`<div>
            <h3>${texts.message}</h3>
            <pre class="command automation-message" tabindex="0">${text}</pre>
          </div>`
        : nothing
    }
    ${answer ? html`<p>${texts.sent(answer.status)} <code>${answer.body}</code></p>` : nothing}
  </div>`;
}

function renderPair(name: string, value: unknown): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function proofWords({ kind, type: scheme = "", verdict, why }: Trial["proof"], texts: AutomationWords): string {
  if (kind === "token") return texts.proof_token_needed;
  const type = schemeName(scheme);
  if (verdict === "needed") return texts.proof_signature_needed(type);
  const said = texts[`proof_${verdict}`](type);
  return why ? `${said}: ${why}` : said;
}

function deliveryWords({ outcome, delivery }: Trial, texts: AutomationWords, names: Names): string | undefined {
  if (outcome !== "agent") return undefined;
  if (!delivery) return texts.delivery_none;
  const { mode, channel = "", to = "", url = "", sessionKey = "", why = "" } = delivery;
  switch (mode) {
    case "chat":
      return `${names.channel(channel)} · ${shortKey(to)}`;
    case "webhook":
      return url;
    case "session":
      return sessionKey;
    case "nowhere":
      return why;
  }
}
