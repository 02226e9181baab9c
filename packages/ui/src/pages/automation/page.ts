// The page of what happens without anybody typing: heartbeats, requests from outside, and hooks; one tab each.
import { html, nothing, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import "./heartbeat-tab.ts";
import "./hooks-tab.ts";
import "./page.css";
import "./webhooks-tab.ts";

const TABS = [
  ["heartbeat", "heartbeat.status"],
  ["webhooks", "webhooks.list"],
  ["hooks", "hooks.list"],
] as const;
type Tab = (typeof TABS)[number][0];

class AutomationPage extends Page {
  override render(): TemplateResult {
    const words = this.words("automation");
    const tabs = TABS.filter(([, method]) => this.world.wire.has(method)).map(([tab]) => tab);
    const here = tabs.find((tab) => tab === this.route.rest[0]) ?? tabs[0] ?? "hooks";
    return html`<header class="page-head"><h1>${this.pageTitle("automation")}</h1></header>
      <nav class="tabs" aria-label=${words.tabs}>
        ${tabs.map(
          (tab) =>
            html`<a href=${writeRoute("automation", [tab])} aria-current=${tab === here ? "page" : nothing}
              >${words[`tab_${tab}`]}</a
            >`,
        )}
      </nav>
      <div class="automation-tab">${this.#renderTab(here)}</div>`;
  }

  #renderTab(tab: Tab): TemplateResult {
    const { world } = this;
    switch (tab) {
      case "heartbeat":
        return html`<chela-automation-heartbeat .world=${world}></chela-automation-heartbeat>`;
      case "webhooks":
        return html`<chela-automation-webhooks .world=${world}></chela-automation-webhooks>`;
      case "hooks":
        return html`<chela-automation-hooks .world=${world}></chela-automation-hooks>`;
    }
  }
}

customElements.define("chela-automation-page", AutomationPage);
