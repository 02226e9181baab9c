// Before there is any job: what jobs are for, and three to begin with.
import { html, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon, type IconName } from "../../parts/icon.ts";
import { EXAMPLES, type Example } from "./examples.ts";

const ICONS: Readonly<Record<Example, IconName>> = { weather: "sun", reminder: "bell", check: "console" };

class NoJobs extends Part {
  override render(): TemplateResult {
    const words = this.words("cron");
    return html`<section class="cron-empty">
      <span class="cron-empty-icon">${icon("cron")}</span>
      <h2>${words.empty}</h2>
      <p class="muted">${words.emptyHint}</p>
      <ul class="cron-examples" aria-label=${words.examples}>
        ${EXAMPLES.map(
          (example) =>
            html`<li>
              <a class="card cron-example" href=${writeRoute("cron", [], { new: example })}>
                <span class="cron-example-icon">${icon(ICONS[example])}</span>
                <strong>${words[`example_${example}`]}</strong>
                <small>${words[`example_${example}Hint`]}</small>
              </a>
            </li>`,
        )}
      </ul>
    </section>`;
  }
}

customElements.define("chela-cron-empty", NoJobs);
