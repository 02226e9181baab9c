// Screen shown while the gateway does not know who this is: what is missing, and how to get it.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { WireState } from "../wire/wire.ts";
import { Part } from "./part.ts";

type SignedOut = Extract<WireState, { kind: "signed-out" }>;

class SignIn extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, state: { attribute: false } };
  declare state: SignedOut;

  override render(): TemplateResult {
    return html`<main class="sign-in" id="main">
      <img src="./icons/chela.svg" alt="" width="56" height="56" />
      ${this.#renderReason()}
    </main>`;
  }

  #renderReason(): TemplateResult {
    const words = this.words("app");
    const { code } = this.state;
    if (code === "PAIRING_REQUIRED") return this.#renderPairing();
    if (code === "CONTROL_UI_DEVICE_IDENTITY_REQUIRED" || code === "DEVICE_IDENTITY_REQUIRED")
      return this.#renderText(words.insecure, words.insecureHow);
    if (code === "CONTROL_UI_ORIGIN_NOT_ALLOWED") return this.#renderText(words.insecure, words.originHow);
    return this.#renderForm();
  }

  #renderText(title: string, text: string): TemplateResult {
    return html`<h1>${title}</h1>
      <p>${text}</p>
      <p class="muted">${this.state.why}</p>
      ${this.#renderRetry()}`;
  }

  #renderPairing(): TemplateResult {
    const words = this.words("app");
    const command = `chela devices approve ${this.state.requestId ?? ""}`.trim();
    return html`<h1>${words.needsApproval}</h1>
      <p>${words.needsApprovalHow}</p>
      <pre class="command">${command}</pre>
      ${this.#renderRetry()}`;
  }

  #renderForm(): TemplateResult {
    const words = this.words("app");
    const note = this.#note();
    return html`<h1>${words.signIn}</h1>
      ${note ? html`<p class="problem" role="alert">${note}</p>` : nothing}
      <p>${words.signInHow}</p>
      <pre class="command">chela dashboard</pre>
      <p>${words.signInOr}</p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#submit(event)}>
        <input
          class="input"
          name="secret"
          type="password"
          autocomplete="current-password"
          aria-label=${words.secret}
          placeholder=${words.secret}
          required
        />
        <button class="button primary">${words.signInButton}</button>
      </form>`;
  }

  /** What was wrong with what was tried; nothing if nothing was tried yet. */
  #note(): string {
    const words = this.words("app");
    const { code, why } = this.state;
    if (code === "AUTH_TOKEN_MISSING" || code === "AUTH_PASSWORD_MISSING" || code === "AUTH_REQUIRED") return "";
    if (code === "AUTH_BOOTSTRAP_TOKEN_INVALID") return words.codeUsed;
    if (code === "AUTH_DEVICE_TOKEN_MISMATCH") return words.signedOut;
    if (code === "AUTH_RATE_LIMITED") return words.tooMany;
    if (code === "AUTH_TOKEN_MISMATCH" || code === "AUTH_PASSWORD_MISMATCH") return words.wrongSecret;
    return why;
  }

  #renderRetry(): TemplateResult {
    return html`<button class="button" @click=${() => this.world.wire.retryNow()}>
      ${this.words("app").checkAgain}
    </button>`;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    const secret = String(new FormData(event.target as HTMLFormElement).get("secret") ?? "");
    const isPassword = this.state.code.startsWith("AUTH_PASSWORD");
    this.world.wire.signIn(isPassword ? { password: secret } : { token: secret });
  }
}

customElements.define("chela-sign-in", SignIn);
