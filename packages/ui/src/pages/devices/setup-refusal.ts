// Explains why no setup code could be made: no address a phone could use. The gateway says best what is in the way.
import { html, nothing, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import { WireFailure } from "../../wire/failure.ts";
import type { DeviceWords } from "./device-words.ts";

export interface SetupRefusal {
  readonly why: string;
  /** What to do about it; "" when nobody knows. */
  readonly fix: string;
}

export function renderRefusal({ why, fix }: SetupRefusal, words: DeviceWords): TemplateResult {
  return html`<h3>${words.notReachablePhone}</h3>
    <p role="alert">${why}</p>
    ${fix ? html`<p class="muted">${withCode(fix)}</p>` : nothing}
    <div><a class="button" href=${writeRoute("config", ["gateway"])}>${words.toConfig}</a></div>`;
}

/** What is wrong with the address: what to do about it stands at the end of the sentence, and once more by itself. */
export function refusalOf(error: unknown): SetupRefusal | undefined {
  if (!(error instanceof WireFailure)) return undefined;
  const { code, fix } = (error.details ?? {}) as { code?: unknown; fix?: unknown };
  if (code !== "SETUP_URL") return undefined;
  const { message } = error;
  if (typeof fix !== "string" || !message.endsWith(fix)) return { why: message, fix: "" };
  return { why: message.slice(0, -fix.length).trim(), fix };
}

/** What stands between backticks is to be typed. */
function withCode(text: string): unknown[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}
