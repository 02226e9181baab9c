// The two ways to a model: a server on this machine, or a provider with a key.
import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { Part } from "../../app/part.ts";
import "./key-form.ts";
import "./local-servers.ts";

/** `<chela-setup-form .world .status @model-taken>` */
class SetupForm extends Part {
  static override properties: PropertyDeclarations = { ...Part.properties, status: { attribute: false } };
  declare status: MethodAnswer<"setup.status">;

  override render(): TemplateResult {
    return html`<div class="setup-ways">
      <chela-setup-local .world=${this.world}></chela-setup-local>
      <chela-setup-key .world=${this.world} .providers=${this.status.providers}></chela-setup-key>
    </div>`;
  }
}

customElements.define("chela-setup-form", SetupForm);
