// Something that was approved to do things for agents, but is no device that has a key today.
import { html, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { Words } from "../../words/index.ts";
import { deviceName, shortId } from "./device-words.ts";
import { abilitiesOf, type ApprovedNode } from "./node-words.ts";

export function renderStray(node: ApprovedNode, all: Words, takeBack: () => void): TemplateResult {
  const words = all.of("devices");
  const name = deviceName(words, node);
  const label = words.takeBackName(name);
  return html`<li class="devices-device">
    <span class="devices-dot"></span>
    <div class="devices-about">
      <div class="row wrap">
        <strong><bdi>${name}</bdi></strong>
        <span class="badge">${words.noKey}</span>
        <code class="muted" title=${node.nodeId}>${shortId(node.nodeId)}</code>
      </div>
      <div>
        ${words.forAgents}
        ${abilitiesOf(node.commands, words)
          .map((ability) => ability.name)
          .join(" · ")}
      </div>
      <div class="hint">${words.approvedSince(all.ago(node.approvedAtMs))}</div>
    </div>
    <button class="button quiet square" aria-label=${label} title=${label} @click=${takeBack}>${icon("trash")}</button>
  </li>`;
}
