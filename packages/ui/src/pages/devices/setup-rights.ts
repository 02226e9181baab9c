// Rights of a device that comes with a setup code, and what it will never be allowed.
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../parts/icon.ts";
import type { DeviceWords } from "./device-words.ts";

export function renderRights(roles: readonly string[], words: DeviceWords): TemplateResult {
  return html`<div>
    <h3>${words.willBeAllowed}</h3>
    <ul class="devices-rights">
      ${roles.includes("operator") ? html`<li>${icon("check")}<span>${words.rightsOperator}</span></li>` : nothing}
      ${roles.includes("node") ? html`<li>${icon("check")}<span>${words.rightsNode}</span></li>` : nothing}
      <li class="muted">${icon("close")}<span>${words.rightsNever}</span></li>
    </ul>
  </div>`;
}
