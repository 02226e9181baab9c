// A device that offers agents more than it was approved for: what is new stands out, and the two answers.
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../words/index.ts";
import { deviceName, shortId } from "./device-words.ts";
import { abilitiesOf, keptOf, partsOf, type Ability, type WaitingNode } from "./node-words.ts";

export interface NodeAnswers {
  /** It was answered here just now. */
  isAnswered(node: WaitingNode): boolean;
  approve(node: WaitingNode): void;
  reject(node: WaitingNode): void;
}

export function renderWaitingNode(node: WaitingNode, all: Words, answers: NodeAnswers): TemplateResult {
  const words = all.of("devices");
  const name = deviceName(words, node);
  const isAnswered = answers.isAnswered(node);
  const kept = abilitiesOf(keptOf(node), words);
  const parts = partsOf(node.adds);
  return html`<article class="card devices-waiting" aria-label=${words.nodeAsks(name)}>
    <header>
      <h3><bdi>${name}</bdi></h3>
      <span class="hint">${words.since(all.ago(node.ts))}</span>
    </header>
    <p>
      <span class="badge ${node.isRepair ? "warn" : "info"}"
        >${node.isRepair ? words.offersMore : words.offersFirst}</span
      >
    </p>
    <dl class="pairs devices-facts">
      <dt>${words.newHere}</dt>
      <dd>
        ${renderAbilities(abilitiesOf(node.adds.commands, words), words.strongAbility)}
        ${parts.length > 0 ? html`<div class="hint">${words.partsAre(parts.join(", "))}</div>` : nothing}
      </dd>
      ${
        kept.length > 0
          ? html`<dt>${words.asBefore}</dt>
              <dd class="muted">${kept.map((ability) => ability.name).join(" · ")}</dd>`
          : nothing
      }
      <dt>${words.deviceLabel}</dt>
      <dd>
        ${[node.deviceFamily, node.platform, node.remoteIp].filter(Boolean).join(" · ")}
        <code class="muted" title=${node.nodeId}>${shortId(node.nodeId)}</code>
      </dd>
    </dl>
    <footer class="row">
      <button
        class="button"
        ?disabled=${isAnswered}
        aria-label=${words.refuseName(name)}
        @click=${() => answers.reject(node)}
      >
        ${words.refuse}
      </button>
      <button
        class="button primary"
        ?disabled=${isAnswered}
        aria-label=${words.allowName(name)}
        @click=${() => answers.approve(node)}
      >
        ${words.allow}
      </button>
    </footer>
  </article>`;
}

/** One line each, with the commands behind it, so that nothing hides in a friendly word. */
export function renderAbilities(abilities: readonly Ability[], strong: string): TemplateResult {
  return html`<ul class="devices-abilities">
    ${abilities.map(
      ({ name, commands, isStrong }) =>
        html`<li>
          <strong>${name}</strong>
          ${isStrong ? html`<span class="badge bad">${strong}</span>` : nothing}
          ${commands.some((command) => command !== name) ? html`<code class="muted">${commands.join(" ")}</code>` : nothing}
        </li>`,
    )}
  </ul>`;
}
