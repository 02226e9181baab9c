// Words for what a credential makes possible, with a way to the page where that is looked after.
import { html, type TemplateResult } from "lit";
import { writeRoute } from "../../app/route.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";
import type { Credential } from "./new-credential.ts";

type Enabled = Credential["enables"][number];
type CredentialWords = InOtherWords<Sections["credentials"]>;

function enabledWords({ kind, name = "", detail }: Enabled, words: CredentialWords): string {
  switch (kind) {
    case "models":
      return detail ? words.makes_modelsFor(name, detail) : words.makes_models(name);
    case "channel":
      return words.makes_channel(detail ? `${name} (${detail})` : name);
    case "tool":
      return words.makes_tool(name);
    case "other":
      return name;
    default:
      return words[`makes_${kind}`];
  }
}

/** Pages that show more of it. */
const PAGES: Partial<Record<Enabled["kind"], string>> = {
  channel: "channels",
  memory: "memory",
  webhooks: "automation",
};

export function renderEnabled(enabled: Enabled, words: CredentialWords): TemplateResult {
  const page = PAGES[enabled.kind];
  const says = enabledWords(enabled, words);
  const query = enabled.kind === "channel" && enabled.name ? { channel: enabled.name } : {};
  return html`<li>${page ? html`<a href=${writeRoute(page, [], query)}>${says}</a>` : says}</li>`;
}
