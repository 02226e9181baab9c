// The fields that say where a model is: the provider, its address, and the key.
import { html, nothing, type TemplateResult } from "lit";
import type { InOtherWords, Sections } from "../../words/index.ts";
import { icon } from "../icon.ts";
import { groupProviders, type Provider } from "./choices.ts";

type SetupWords = InOtherWords<Sections["setup"]>;

/** The choice of a server that is not in the list. */
const OTHER = "";

export function renderProviders(
  providers: readonly Provider[],
  chosen: Provider | undefined,
  words: SetupWords,
  choose: (event: Event) => void,
): TemplateResult {
  const labels = { hosted: words.hosted, local: words.local, custom: words.own };
  return html`<label class="field">
    <span>${words.provider}</span>
    <select class="input" name="provider" @change=${choose}>
      ${groupProviders(providers).map(
        (group) =>
          html`<optgroup label=${labels[group.kind]}>
            ${group.providers.map(
              ({ id, label }) => html`<option value=${id} ?selected=${id === chosen?.id}>${label}</option>`,
            )}
          </optgroup>`,
      )}
      <option value=${OTHER} ?selected=${!chosen}>${words.other}</option>
    </select>
  </label>`;
}

/** Only what this provider needs; one that is not in the list needs everything. */
export function renderPlace(provider: Provider | undefined, words: SetupWords): TemplateResult {
  return html`${provider ? nothing : renderName(words)}
  ${provider?.kind === "hosted" ? nothing : renderAddress(provider, words)}
  ${provider?.kind === "local" ? nothing : renderKey(provider, words)}`;
}

function renderName(words: SetupWords): TemplateResult {
  return html`<label class="field">
    <span>${words.name}</span>
    <input class="input" name="id" required maxlength="64" pattern="[a-z0-9][a-z0-9._\\-]*" spellcheck="false" />
    <span class="hint">${words.nameHint}</span>
  </label>`;
}

function renderAddress(provider: Provider | undefined, words: SetupWords): TemplateResult {
  return html`<label class="field">
    <span>${provider ? words.addressOptional : words.address}</span>
    <input class="input" name="baseUrl" type="url" placeholder="http://127.0.0.1:8080/v1" ?required=${!provider} />
    <span class="hint">${words.addressHint}</span>
  </label>`;
}

function renderKey(provider: Provider | undefined, words: SetupWords): TemplateResult {
  const isNeeded = provider?.kind === "hosted" && !provider.configured;
  const page = provider?.keyUrl?.startsWith("https://") ? provider.keyUrl : undefined;
  return html`<div class="field">
    <span class="row">
      <label for="setup-key">${isNeeded ? words.key : words.keyOptional}</label>
      ${
        page
          ? html`<a class="setup-key-page" href=${page} target="_blank" rel="noopener noreferrer">
              ${words.getKey}${icon("external")}
            </a>`
          : nothing
      }
    </span>
    <input
      class="input"
      id="setup-key"
      name="apiKey"
      type="password"
      autocomplete="off"
      spellcheck="false"
      maxlength="4096"
      aria-describedby="setup-key-hint"
      ?required=${isNeeded}
    />
    <span class="hint" id="setup-key-hint">${provider?.configured ? words.keyThere : words.keyHint}</span>
  </div>`;
}
