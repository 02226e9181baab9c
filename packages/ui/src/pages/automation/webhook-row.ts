// One webhook: its address, how it is opened, what it does, and what came of the last request.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { AutomationWords } from "./beat-words.ts";
import { schemeName, webhookName, whatItDoes, type Names, type Webhook } from "./webhook-facts.ts";

interface WebhookWorld {
  readonly texts: AutomationWords;
  readonly names: Names;
  readonly address: string;
  copy(text: string): void;
  tryOut(): void;
}

export function renderWebhook(webhook: Webhook, world: WebhookWorld): TemplateResult {
  const { texts, names } = world;
  const name = webhookName(webhook, texts);
  const does = whatItDoes(webhook, names, texts);
  return html`<li class="card automation-webhook">
    <div class="automation-webhook-head">
      <h3>${name}</h3>
      ${renderDoor(webhook, texts)}
      ${
        webhook.absent
          ? nothing
          : html`<button
              class="button small quiet"
              aria-label="${texts.tester}: ${name}"
              @click=${() => world.tryOut()}
            >
              ${texts.test}
            </button>`
      }
    </div>
    ${does ? html`<p>${does}</p>` : nothing}
    ${webhook.absent ? html`<p class="automation-why">${webhook.absent}</p>` : renderAddress(webhook, name, world)}
  </li>`;
}

function renderDoor(
  { opensWith, signature, absent }: Webhook,
  texts: AutomationWords,
): TemplateResult | typeof nothing {
  if (absent) return html`<span class="badge warn">${texts.absent}</span>`;
  if (opensWith === "signature")
    return html`<span class="badge good">${texts.opens_signature(schemeName(signature ?? ""))}</span>`;
  return opensWith ? html`<span class="badge">${texts.opens_token}</span>` : nothing;
}

function renderAddress({ path }: Webhook, name: string, { texts, address, copy }: WebhookWorld): TemplateResult {
  if (path === undefined) return html`<p class="hint">${texts.anyPath}</p>`;
  const label = texts.addressOf(name);
  return html`<div class="automation-address">
    <code class="cut" title=${address}>${address}</code>
    <button class="button quiet square small" aria-label=${label} title=${label} @click=${() => copy(address)}>
      ${icon("copy")}
    </button>
  </div>`;
}
