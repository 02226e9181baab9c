// The console: for whoever wants to know what this page and the gateway say to each other.
import { html, type TemplateResult } from "lit";
import { Page } from "../../app/part.ts";
import "./caller.ts";
import "./frames-view.ts";
import "./page.css";

class ConsolePage extends Page {
  override render(): TemplateResult {
    return html`<header class="page-head">
        <div>
          <h1>${this.pageTitle("console")}</h1>
          <p class="muted">${this.words("console").about}</p>
        </div>
      </header>
      <div class="console-split">
        <chela-console-caller .world=${this.world}></chela-console-caller>
        <chela-console-frames .world=${this.world}></chela-console-frames>
      </div>`;
  }
}

customElements.define("chela-console-page", ConsolePage);
