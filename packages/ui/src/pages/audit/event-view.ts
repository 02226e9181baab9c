// All that is known of one event, asked for anew: what the list shows may have been changed since.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { renderAsked } from "../../parts/asked.ts";
import { icon } from "../../parts/icon.ts";
import { shortKey } from "../../state/session-title.ts";
import { nameOf, targetOf, type Names } from "./event-words.ts";
import { EVERYTHING, writeFilter, type AuditFilter, type AuditRecord } from "./filter.ts";
import { fullTime } from "./row-view.ts";
import "../../parts/editor/code-block.ts";

const DIGESTS = ["argsDigest", "resultDigest", "promptDigest", "contentDigest", "commandDigest"] as const;
const TONES = { ok: "good", denied: "warn", failed: "bad" } as const;

/** `<chela-audit-event .world .seq .names .agentName>` */
class AuditEvent extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    seq: { attribute: false },
    names: { attribute: false },
    agentName: { attribute: false },
  };
  declare seq: number;
  declare names: Names;
  declare agentName: (id: string) => string;
  readonly #event = this.asking(() => ({
    method: "audit.list",
    params: { after: this.seq - 1, before: this.seq + 1, limit: 1 },
    topics: [],
  }));

  override render(): TemplateResult {
    const retry = { label: this.words("app").retry, run: () => this.#event.again() };
    return renderAsked(
      this.#event.state,
      ({ records: [record] }) => (record ? this.#renderEvent(record) : html`<p>${this.words("audit").gone}</p>`),
      retry,
    );
  }

  #renderEvent(record: AuditRecord): TemplateResult {
    const words = this.words("audit");
    const { args, argsChars, ...rest } = record.detail ?? {};
    const known: readonly string[] = [...DIGESTS, "person"];
    const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !known.includes(name)));
    return html`<dl class="pairs audit-facts">${this.#renderFacts(record)}</dl>
      ${args === undefined ? nothing : this.#renderJson(words.arguments, args)}
      ${
        typeof argsChars === "number"
          ? html`<p class="hint">${words.argumentsCut(this.world.words.number(argsChars))}</p>`
          : nothing
      }
      ${Object.keys(others).length > 0 ? this.#renderJson(words.more, others) : nothing} ${this.#renderLinks(record)}`;
  }

  #renderFacts(record: AuditRecord): TemplateResult {
    const words = this.words("audit");
    const { actor, target, agentId, sessionKey, channel, traceId, detail = {} } = record;
    const who = nameOf(actor, words, this.names);
    const what = targetOf(record, words, this.names);
    const person = detail["person"];
    return html`
      ${pair(words.when, fullTime(record.at, this.world.words))}
      ${pair(words.actor, html`${who} ${who === actor ? nothing : html`<code class="muted">${actor}</code>`}`)}
      ${typeof person === "string" ? pair(words.person, person) : nothing}
      ${pair(words.what, words[`action_${record.action}`])}
      ${pair(words.target, html`${what} ${what === target ? nothing : html`<code class="muted">${target}</code>`}`)}
      ${pair(words.outcome, html`<span class="badge ${TONES[record.outcome]}">${words[`outcome_${record.outcome}`]}</span>`)}
      ${agentId ? pair(words.agent, this.agentName(agentId)) : nothing}
      ${sessionKey ? pair(words.session, html`<a href=${writeRoute("chat", [sessionKey])}>${shortKey(sessionKey)}</a>`) : nothing}
      ${channel ? pair(words.channel, this.names.channel(channel)) : nothing}
      ${traceId ? pair(words.run, this.#renderRun(traceId)) : nothing}
      ${DIGESTS.map((name) => (typeof detail[name] === "string" ? pair(words[name], code(detail[name])) : nothing))}
      ${pair(words.hash, code(record.hash))}
    `;
  }

  #renderRun(traceId: string): TemplateResult {
    const words = this.words("audit");
    if (!this.world.wire.has("runs.explain")) return code(traceId);
    return html`<a href=${writeRoute("explain", [traceId])}>${words.explainThis}</a>
      <code class="muted">${traceId}</code>`;
  }

  #renderJson(label: string, value: unknown): TemplateResult {
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return html`<section class="audit-json">
      <h3>${label}</h3>
      <chela-code-block .text=${text} .language=${typeof value === "string" ? "" : "json"}></chela-code-block>
    </section>`;
  }

  #renderLinks({ actor, sessionKey, traceId }: AuditRecord): TemplateResult {
    const words = this.words("audit");
    const link = (label: string, filter: Partial<AuditFilter>): TemplateResult =>
      html`<a class="button small" href=${writeRoute("audit", [], writeFilter({ ...EVERYTHING, ...filter }))}
        >${icon("search")}${label}</a
      >`;
    return html`<div class="row wrap audit-links">
      ${link(words.onlyThisActor, { actor })}
      ${sessionKey ? link(words.onlyThisSession, { session: sessionKey }) : nothing}
      ${traceId ? link(words.onlyThisRun, { trace: traceId }) : nothing}
    </div>`;
  }
}

function pair(label: string, value: unknown): TemplateResult {
  return html`<dt>${label}</dt>
    <dd>${value}</dd>`;
}

function code(text: string): TemplateResult {
  return html`<code>${text}</code>`;
}

customElements.define("chela-audit-event", AuditEvent);
