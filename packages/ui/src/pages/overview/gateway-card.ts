// The gateway itself: since when it runs, which version it is, and where it keeps its things.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import { renderAsked } from "../../parts/asked.ts";
import { Watching } from "../../state/live.ts";
import { Ticking } from "../../state/ticking.ts";
import { whenOf } from "../../state/names-of.ts";

const MINUTE_MS = 60_000;

class GatewayCard extends Part {
  readonly #watching = new Watching(this);
  readonly #health = this.asking(() => ({ method: "health", params: {}, topics: ["health"] }));
  readonly #presence = this.asking(() =>
    this.world.wire.has("system-presence")
      ? { method: "system-presence", params: {}, topics: ["presence"] }
      : undefined,
  );
  readonly #heartbeat = this.asking(() =>
    this.world.wire.has("last-heartbeat") ? { method: "last-heartbeat", params: {}, topics: ["health"] } : undefined,
  );

  constructor() {
    super();
    this.addController(new Ticking(this, MINUTE_MS));
  }

  override render(): TemplateResult {
    const words = this.words("overview");
    this.#watching.show(this.world.wire.state);
    const retry = { label: this.words("app").retry, run: () => this.#health.again() };
    return html`<section class="card overview-card">
      <header>
        <h2>${words.gateway}</h2>
        ${this.#health.value?.ok ? html`<span class="badge good">${words.well}</span>` : nothing}
      </header>
      ${renderAsked(this.#health.state, ({ agents }) => this.#renderFacts(agents?.length), retry)}
    </section>`;
  }

  #renderFacts(agents: number | undefined): TemplateResult {
    const words = this.words("overview");
    const { state } = this.world.wire;
    if (state.value.kind !== "open") return html``;
    const { hello, openedAt } = state.value;
    const { uptimeMs, stateDir, configPath } = hello.snapshot;
    const heartbeat = this.#heartbeat.value?.ts;
    return html`<dl class="pairs">
      ${fact(words.started, whenOf(openedAt - uptimeMs, this.world.words, words))}
      ${fact(words.version, hello.server.version)} ${fact(words.agents, agents)}
      ${fact(words.connected, this.#presence.value?.filter(isHere).length)}
      ${heartbeat === undefined ? nothing : fact(words.heartbeat, whenOf(heartbeat, this.world.words, words))}
      ${fact(words.stateDir, stateDir)} ${fact(words.configFile, configPath)}
    </dl>`;
  }
}

/** The list names the gateway itself, and for a while those who left. */
function isHere({ mode, reason }: MethodAnswer<"system-presence">[number]): boolean {
  return mode !== "gateway" && reason !== "disconnect";
}

function fact(name: string, value: string | number | undefined): TemplateResult | typeof nothing {
  if (value === undefined) return nothing;
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

customElements.define("chela-overview-gateway", GatewayCard);
