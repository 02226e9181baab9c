// The overview: first what needs a person, then how everything does.
import { html, nothing, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import "../../parts/setup-card.ts";
import "./channels-card.ts";
import "./gateway-card.ts";
import "./jobs-card.ts";
import "./money-card.ts";
import "./needs-view.ts";
import "./page.css";
import "./recent-card.ts";
import "./turns-card.ts";

class OverviewPage extends Page {
  override render(): TemplateResult {
    const { world } = this;
    const { wire } = world;
    return html`<header class="page-head"><h1>${this.pageTitle("overview")}</h1></header>
      <div class="overview">
        <chela-setup-card .world=${world} .stays=${true}></chela-setup-card>
        <chela-overview-needs .world=${world}></chela-overview-needs>
        <div class="overview-columns">
          <div class="overview-column">
            ${wire.has("runs.list") ? html`<chela-overview-turns .world=${world}></chela-overview-turns>` : nothing}
            ${wire.has("cron.list") ? html`<chela-overview-jobs .world=${world}></chela-overview-jobs>` : nothing}
            <chela-overview-recent .world=${world}></chela-overview-recent>
          </div>
          <div class="overview-column">
            ${wire.has("usage.cost") ? html`<chela-overview-money .world=${world}></chela-overview-money>` : nothing}
            ${wire.has("channels.status") ? html`<chela-overview-channels .world=${world}></chela-overview-channels>` : nothing}
            <chela-overview-gateway .world=${world}></chela-overview-gateway>
          </div>
        </div>
      </div>`;
  }
}

customElements.define("chela-overview-page", OverviewPage);
