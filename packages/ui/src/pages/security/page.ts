// The page of security: what is weak here and how to put it right, and the sandbox.
import { html, nothing, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import "./findings-view.ts";
import "./page.css";
import "./sandbox-view.ts";

class SecurityPage extends Page {
  override render(): TemplateResult {
    const { world } = this;
    return html`<header class="page-head"><h1>${this.pageTitle("security")}</h1></header>
      <div class="security-sections">
        <chela-security-findings .world=${world} .wanted=${this.route.query["finding"]}></chela-security-findings>
        ${world.wire.has("sandbox.status") ? html`<chela-security-sandbox .world=${world}></chela-security-sandbox>` : nothing}
      </div>`;
  }
}

customElements.define("chela-security-page", SecurityPage);
