// Card of a turn without an answer: why, what to do about it, and ways to do it; the same now and when one comes back.
import type { ShownMessage } from "@chela/sdk/protocol";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { Part } from "../../../app/part.ts";
import { writeRoute } from "../../../app/route.ts";
import { findModel } from "../../../conversations/model-choices.ts";
import { countdown } from "../../../parts/countdown.ts";
import { icon } from "../../../parts/icon.ts";
import { renderMarkdown } from "../../../parts/editor/markdown.ts";
import { agentOf } from "../../../state/session-title.ts";
import { Ticking } from "../../../state/ticking.ts";
import type { InOtherWords, Sections } from "../../../words/index.ts";
import type { Conversation } from "../conversation.ts";
import { askAgain, questionBefore } from "../composer/steer.ts";
import "./failure-card.css";

type Failure = NonNullable<ShownMessage["failure"]>;

interface FailureWords {
  readonly says: string;
  /** In whose words it was said to us, which are as they came. */
  readonly detail?: string;
  readonly fix?: string;
}

/** In the reader's language, where there are words for it; else as the gateway says it. */
function wordsFor(failure: Failure | undefined, text: string, words: InOtherWords<Sections["chat"]>): FailureWords {
  if (!failure) return { says: text };
  const { code, detail, message, fix } = failure;
  const word = (name: string): unknown => (Object.hasOwn(words, name) ? Reflect.get(words, name) : undefined);
  const [says, does] = [word(`failure_${code}`), word(`fix_${code}`)];
  if (typeof says !== "string" || typeof does !== "string" || detail === undefined) return { says: message, fix };
  return { says, detail, fix: does };
}

const SECOND_MS = 1000;
/** What is further away is told as a time of day alone. */
const COUNTED_MS = 3_600_000;
/** Failures that another key may end. */
const OF_KEYS: ReadonlySet<string> = new Set(["MODEL_AUTH", "MODEL_BILLING"]);

/** `<chela-failure .world .conversation .failure .text .index>`: tells "choose-model" when another model is wished for. */
class FailureCard extends Part {
  static override properties: PropertyDeclarations = {
    ...Part.properties,
    conversation: { attribute: false },
    failure: { attribute: false },
    text: { attribute: false },
    index: { attribute: false },
    version: { attribute: false },
  };
  declare conversation: Conversation;
  /** Not there for failures that were written down by others: then there is the text alone. */
  declare failure: Failure | undefined;
  declare text: string;
  /** Where it stands in the conversation. */
  declare index: number;
  /** Changes when other entries do: the question may have come. */
  declare version: number;
  readonly #models = this.asking(() => {
    if (!this.#isAhead) return undefined;
    const agentId = agentOf(this.conversation.key);
    return { method: "models.list", params: agentId ? { agentId } : {}, topics: ["models", "config"] };
  });

  constructor() {
    super();
    this.addController(new Ticking(this, SECOND_MS, () => this.#isAhead));
  }

  /** What is known of the models may be from before this failure, of which nobody tells. */
  override firstUpdated(): void {
    this.#models.again();
  }

  override render(): TemplateResult {
    const { failure, text } = this;
    const { says, detail, fix } = wordsFor(failure, text, this.words("chat"));
    return html`<section class="failure chat-failure" aria-label=${this.words("chat").noAnswer}>
      ${icon("warning")}
      <div>
        <p class="chat-failure-cause">${says}</p>
        ${detail ? html`<p class="chat-failure-detail">${detail}</p>` : nothing} ${fix ? renderMarkdown(fix) : nothing}
        ${this.#renderRest()} ${this.#renderActions()}
      </div>
    </section>`;
  }

  get #isAhead(): boolean {
    return (this.failure?.retryAt ?? 0) > Date.now();
  }

  /** Until when the credential rests, unless somebody has let it be used since. */
  get #restsUntil(): number | undefined {
    const { failure } = this;
    if (!failure || !this.#isAhead) return undefined;
    const { state } = this.#models;
    const listed = state.kind === "here" && !state.isOld ? state.value : undefined;
    const model = findModel(listed, `${failure.provider}/${failure.model}`);
    return model?.usable === true ? undefined : failure.retryAt;
  }

  #renderRest(): TemplateResult | typeof nothing {
    const until = this.#restsUntil;
    if (until === undefined) return nothing;
    const words = this.words("chat");
    const time = this.world.words.moment(until);
    const left = until - Date.now();
    return html`<p role="timer" aria-live="off">
      ${left < COUNTED_MS ? words.restsFor(time, countdown(left)) : words.rests(time)}
    </p>`;
  }

  #renderActions(): TemplateResult {
    const words = this.words("chat");
    const question = questionBefore(this.conversation, this.index);
    return html`<div class="row wrap">
      ${
        question
          ? html`<button
              class="button small"
              @click=${() => void this.attempt(() => askAgain(this.world, this.conversation, question))}
            >
              ${icon("retry")}${words.retry}
            </button>`
          : nothing
      }
      ${
        this.#restsUntil === undefined
          ? nothing
          : html`<button class="button small" @click=${() => void this.#free()}>${words.tryCredential}</button>`
      }
      <button
        class="button small"
        @click=${() => this.dispatchEvent(new CustomEvent("choose-model", { bubbles: true }))}
      >
        ${words.changeModel}
      </button>
      ${
        OF_KEYS.has(this.failure?.code ?? "")
          ? html`<a class="button small" href=${writeRoute("credentials")}>${this.pageTitle("credentials")}</a>`
          : nothing
      }
    </div>`;
  }

  async #free(): Promise<void> {
    const agentId = agentOf(this.conversation.key);
    const provider = this.failure?.provider;
    const params = { ...(agentId ? { agentId } : {}), ...(provider ? { provider } : {}) };
    await this.attempt(() => this.world.wire.call("models.retry", params), this.words("chat").credentialFreed);
    this.#models.again();
  }
}

customElements.define("chela-failure", FailureCard);
