// One credential: what it is, whether it works, who uses it. Never its value, which the gateway does not tell.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import type { MenuChoice } from "../../parts/menu.ts";
import type { InOtherWords, Sections, Words } from "../../words/index.ts";
import { renderEnabled } from "./enabled-words.ts";
import type { Credential } from "./new-credential.ts";
import "../../parts/menu.ts";

export type CredentialAction = "verify" | "copy" | "replace" | "history" | "remove";

export interface CardWorld {
  readonly words: InOtherWords<Sections["credentials"]>;
  readonly format: Words;
  readonly hasHistory: boolean;
  isChecking(id: string): boolean;
  /** Why the last check told nothing. */
  doubtOf(id: string): string | undefined;
  act(action: CredentialAction, credential: Credential): void;
}

const TONES = { verified: "good", failed: "bad", unverified: "" } as const;
const MINUTE_MS = 60_000;

export function renderCard(credential: Credential, world: CardWorld): TemplateResult {
  const { words, act, isChecking } = world;
  const { id, status } = credential;
  const isBusy = isChecking(id);
  return html`<li class="card credentials-card">
    <header>
      <div class="credentials-name">
        <h2 class="cut" title=${id}>${id}</h2>
        <p class="hint cut">${[credential.service, credential.account].filter(Boolean).join(" · ")}</p>
      </div>
      <span class="badge ${isBusy ? "info" : TONES[status]}" role="status">
        ${isBusy ? words.status_checking : words[`status_${status}`]}
      </span>
    </header>
    ${renderHealth(credential, world)}
    <dl class="pairs">${renderFacts(credential, world)}</dl>
    <footer class="row">
      <button
        class="button small"
        aria-label=${words.verifyThis(id)}
        ?disabled=${isBusy}
        @click=${() => act("verify", credential)}
      >
        ${isBusy ? html`<i class="credentials-spinner"></i>` : icon("check")}${words.verify}
      </button>
      <chela-menu
        label=${words.actions(id)}
        .icon=${"more"}
        .choices=${choicesFor(world)}
        @menu-choose=${({ detail }: CustomEvent<{ id: CredentialAction }>) => act(detail.id, credential)}
      ></chela-menu>
    </footer>
  </li>`;
}

function renderHealth(
  { id, lastError, status }: Credential,
  { words, doubtOf }: CardWorld,
): TemplateResult | typeof nothing {
  const doubt = doubtOf(id);
  if (status === "failed" && lastError) return html`<p class="problem credentials-why">${lastError}</p>`;
  return doubt ? html`<p class="muted credentials-why">${words.couldNot(doubt)}</p>` : nothing;
}

function renderFacts(credential: Credential, { words, format, act }: CardWorld): TemplateResult {
  const { id, kind, points, origin, capabilities, enables, usedBy, verifiedAt, lastUsedAt } = credential;
  const times = [
    verifiedAt === undefined ? words.neverVerified : words.verifiedAt(ago(verifiedAt, format)),
    lastUsedAt === undefined ? words.neverUsed : words.lastUsed(ago(lastUsedAt, format)),
  ];
  const copyLabel = words.copyReference(id);
  return html`
    <dt>${words[`kind_${kind}`]}</dt>
    <dd>${points ? html`<code>${points}</code>` : "••••••••"}</dd>
    <dt>${words.origin}</dt>
    <dd>${origin ?? html`<span class="muted">${words.anywhere}</span>`}</dd>
    ${
      capabilities.length > 0
        ? html`<dt>${words.capabilities}</dt>
            <dd>${capabilities.join(", ")}</dd>`
        : nothing
    }
    ${
      enables.length > 0
        ? html`<dt>${words.makes}</dt>
            <dd>
              <ul>
                ${enables.map((one) => renderEnabled(one, words))}
              </ul>
            </dd>`
        : nothing
    }
    <dt>${words.usedBy}</dt>
    <dd>
      ${
        usedBy.length > 0
          ? html`<ul>
              ${usedBy.map(renderPlaceOfUse)}
            </ul>`
          : html`<span class="muted">${words.usedByNone}</span>`
      }
    </dd>
    <dt>${words.reference}</dt>
    <dd class="credentials-reference">
      <code>vault:${id}</code>
      <button
        class="button quiet square small"
        aria-label=${copyLabel}
        title=${copyLabel}
        @click=${() => act("copy", credential)}
      >
        ${icon("copy")}
      </button>
    </dd>
    <dt>${words.activity}</dt>
    <dd>${times.join(" · ")}</dd>
  `;
}

/** A place of the configuration can be gone to. */
function renderPlaceOfUse(place: string): TemplateResult {
  const [, section] = /^([a-z]\w*)\.[^\s,]+$/i.exec(place) ?? [];
  return html`<li>${section ? html`<a href=${writeRoute("config", [section])}>${place}</a>` : place}</li>`;
}

function choicesFor({ words, hasHistory }: CardWorld): MenuChoice[] {
  const choices: Array<MenuChoice & { readonly id: CredentialAction }> = [
    { id: "replace", label: words.replace, icon: "edit" },
    ...(hasHistory ? [{ id: "history", label: words.history, icon: "audit" } as const] : []),
    { id: "remove", label: words.remove, icon: "trash", isDangerous: true },
  ];
  return choices;
}

/** Seconds would be wrong again before anybody has read them. */
function ago(ms: number, format: Words): string {
  const now = Date.now();
  return format.ago(now - ms < MINUTE_MS ? now : ms, now);
}
