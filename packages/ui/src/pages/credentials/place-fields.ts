// The fields for where a secret lies: the secret itself, or what leads to it.
import { html, nothing, type TemplateResult } from "lit";
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { Kind } from "./new-credential.ts";

type CredentialWords = InOtherWords<Sections["credentials"]>;

/** `points` is where it lies so far. */
export function renderPlace(kind: Kind, words: CredentialWords, points = ""): TemplateResult {
  switch (kind) {
    case "value":
      return html`<label class="field">
        <span>${words.value}</span>
        <input class="input mono" type="password" name="value" autocomplete="off" required maxlength="65536" />
        <span class="hint">${words.valueHint}</span>
      </label>`;
    case "env":
      return renderText({ name: "env", label: words.env, hint: words.envHint, example: "OPENAI_API_KEY", points });
    case "file":
      return renderText({
        name: "file",
        label: words.file,
        hint: words.fileHint,
        example: "/home/you/.secrets/key",
        points,
      });
    case "exec":
      return html`${renderText({ name: "program", label: words.program, hint: words.programHint, example: "/usr/bin/op" })}
        <label class="field">
          <span>${words.programArguments}</span>
          <textarea class="input mono" name="arguments" rows="3" spellcheck="false"></textarea>
          <span class="hint">${words.programArgumentsHint}</span>
        </label>`;
    case "keyring":
      return html`${renderText({ name: "keyringService", label: words.keyringService })}
      ${renderText({ name: "keyringAccount", label: words.keyringAccount, isOptional: true })}`;
  }
}

interface TextField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  readonly points?: string;
  readonly isOptional?: boolean;
}

function renderText({ name, label, hint, example, points = "", isOptional = false }: TextField): TemplateResult {
  return html`<label class="field">
    <span>${label}</span>
    <input
      class="input mono"
      name=${name}
      maxlength="4096"
      spellcheck="false"
      autocomplete="off"
      placeholder=${example ?? nothing}
      .defaultValue=${points}
      ?required=${!isOptional}
    />
    ${hint ? html`<span class="hint">${hint}</span>` : nothing}
  </label>`;
}
