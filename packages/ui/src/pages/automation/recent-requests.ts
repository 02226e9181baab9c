// The requests of late: which webhook took them, and what became of them.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { writeRoute } from "../../app/route.ts";
import type { Words } from "../../words/index.ts";
import type { AutomationWords } from "./beat-words.ts";
import { requestMarks, type Mark } from "./webhook-facts.ts";

type Request = MethodAnswer<"webhooks.list">["recent"][number];

interface RequestWorld {
  readonly texts: AutomationWords;
  readonly words: Words;
  nameOf(webhook: string): string;
}

export function renderRequests(requests: readonly Request[], world: RequestWorld): TemplateResult {
  const { texts } = world;
  return html`<section class="stack">
    <h2>${texts.recent}</h2>
    ${
      requests.length === 0
        ? html`<p class="muted">${texts.noRequests}</p>`
        : html`<div class="table-scroll" role="region" aria-label=${texts.recent} tabindex="0">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">${texts.when}</th>
                  <th scope="col">${texts.takenBy}</th>
                  <th scope="col">${texts.outcome}</th>
                  <th scope="col"><span class="seen-by-readers">${texts.explainRun}</span></th>
                </tr>
              </thead>
              <tbody>
                ${repeat(
                  requests,
                  ({ runId }) => runId,
                  (request) => renderRequest(request, world),
                )}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function renderRequest(request: Request, { texts, words, nameOf }: RequestWorld): TemplateResult {
  const { at, webhook, runId, error } = request;
  return html`<tr>
    <td><time datetime=${new Date(at).toISOString()} title=${words.date(at)}>${words.ago(at)}</time></td>
    <td>${nameOf(webhook)}</td>
    <td>
      <span class="row wrap">${requestMarks(request, texts).map(renderMark)}</span>
      ${error ? html`<span class="hint problem">${error}</span>` : nothing}
    </td>
    <td><a href=${writeRoute("explain", [runId])}>${texts.explainRun}</a></td>
  </tr>`;
}

function renderMark({ tone, text }: Mark): TemplateResult {
  return html`<span class="badge ${tone}">${text}</span>`;
}
