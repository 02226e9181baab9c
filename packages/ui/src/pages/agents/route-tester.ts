// "Where would this message go?": a message is described, and the gateway tells who would answer it and why.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { writeRoute } from "../../app/route.ts";
import { icon } from "../../parts/icon.ts";
import { wordsOf } from "../../wire/failure.ts";
import { agentName, type Agents } from "./agent-facts.ts";
import { renderAvatar } from "./avatar-view.ts";
import { listOf } from "./bindings.ts";
import { readForm, renderChoices, renderTextField } from "./text-field.ts";

type RouteAnswer = MethodAnswer<"routing.explain">;
type Route = RouteAnswer["route"];

const FORM = "agents-tester";

class RouteTester extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    known: { attribute: false },
    channels: { attribute: false },
    answer: { state: true },
    problem: { state: true },
  };
  declare known: Agents;
  declare channels: readonly string[];
  declare answer: RouteAnswer | undefined;
  declare problem: string;

  constructor() {
    super();
    this.problem = "";
  }

  override render(): TemplateResult {
    const words = this.words("agents");
    return html`<section class="card stack agents-tester" aria-labelledby="agents-tester">
      <div>
        <h2 id="agents-tester">${words.tester}</h2>
        <p class="muted">${words.testerHow}</p>
      </div>
      ${this.#renderForm()}
      <div aria-live="polite">
        ${this.problem ? html`<p class="problem">${this.problem}</p>` : nothing}
        ${this.answer ? this.#renderAnswer(this.answer) : nothing}
      </div>
    </section>`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("agents");
    const { channel, account, accountEmpty, chatId, sender, senderHint, roles, rolesHint } = words;
    return html`<form class="form" @submit=${(event: SubmitEvent) => void this.#ask(event)}>
      ${renderChoices("agents-tester-channels", this.channels)}
      <div class="agents-fields">
        ${renderTextField({ form: FORM, name: "channel", label: channel, list: "agents-tester-channels", isRequired: true })}
        ${renderTextField({ form: FORM, name: "accountId", label: account, hint: accountEmpty })}
        <label class="field">
          <span>${words.chatKind}</span>
          <select class="input" name="kind" aria-label=${words.chatKind}>
            <option value="direct">${words.kind_direct}</option>
            <option value="group">${words.kind_group}</option>
            <option value="channel">${words.kind_channel}</option>
          </select>
        </label>
        ${renderTextField({ form: FORM, name: "id", label: chatId, isRequired: true })}
      </div>
      <details class="agents-more">
        <summary>${words.more}</summary>
        <div class="agents-fields">
          ${renderTextField({ form: FORM, name: "senderId", label: sender, hint: senderHint })}
          ${renderTextField({ form: FORM, name: "threadId", label: words.thread })}
          ${renderTextField({ form: FORM, name: "parentId", label: words.parent })}
          ${renderTextField({ form: FORM, name: "guildId", label: words.guild })}
          ${renderTextField({ form: FORM, name: "teamId", label: words.team })}
          ${renderTextField({ form: FORM, name: "roles", label: roles, hint: rolesHint })}
        </div>
      </details>
      <div><button class="button">${words.testerAsk}</button></div>
    </form>`;
  }

  #renderAnswer({ route, text }: RouteAnswer): TemplateResult {
    const words = this.words("agents");
    const agent = this.known.agents.find(({ id }) => id === route.agentId);
    return html`<div class="stack agents-answer">
      <p class="agents-answer-head">
        ${agent ? renderAvatar(agent, "small") : nothing}
        <strong>${words.goesTo(agent ? agentName(agent) : route.agentId)}</strong>
      </p>
      ${route.warning ? html`<p class="banner warn">${icon("warning")}<span>${route.warning}</span></p>` : nothing}
      <dl class="pairs">
        <dt>${words.because}</dt>
        <dd>
          ${this.#because(route)}
          ${route.binding === undefined ? nothing : html`<code>bindings[${route.binding}]</code>`}
        </dd>
        <dt>${words.session}</dt>
        <dd><a class="mono" href=${writeRoute("chat", [route.sessionKey])}>${route.sessionKey}</a></dd>
      </dl>
      ${this.#renderConsidered(route)}
      <details class="agents-more">
        <summary>${words.asText}</summary>
        <pre class="command" tabindex="0">${text}</pre>
      </details>
    </div>`;
  }

  #renderConsidered({ considered = [] }: Route): TemplateResult | typeof nothing {
    const words = this.words("agents");
    if (considered.length === 0) return nothing;
    return html`<details class="agents-more">
      <summary>${words.considered}</summary>
      <ul class="agents-considered">
        ${considered.map(
          ({ binding, agentId, kind, why }) =>
            html`<li>
              <code>[${binding}]</code> ${agentId || "?"}
              <span class="badge ${kind === "chosen" ? "good" : ""}">${textOf(words, `kind_${kind}`) ?? kind}</span>
              <span class="hint">${why}</span>
            </li>`,
        )}
      </ul>
    </details>`;
  }

  #because({ matchedBy, warning }: Route): string {
    const words = this.words("agents");
    if (warning) return words.because_warning;
    return textOf(words, `because_${matchedBy}`) ?? matchedBy;
  }

  async #ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { channel = "", kind, id = "", roles, ...rest } = readForm(event.target as HTMLFormElement);
    const question: MethodParams<"routing.explain"> = {
      channel: channel.toLowerCase(),
      peer: { kind: kind === "group" || kind === "channel" ? kind : "direct", id },
      ...rest,
      ...(roles ? { roles: listOf(roles) } : {}),
    };
    try {
      this.answer = await this.world.wire.call("routing.explain", question);
      this.problem = "";
    } catch (error) {
      this.answer = undefined;
      this.problem = wordsOf(error);
    }
  }
}

function textOf(words: object, name: string): string | undefined {
  const text = Object.hasOwn(words, name) ? (words as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof text === "string" ? text : undefined;
}

customElements.define("chela-agents-tester", RouteTester);
