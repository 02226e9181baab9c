// List of what cannot be used because a credential is missing, with what to type.
import { html, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { writeRoute } from "../../app/route.ts";
import type { World } from "../../app/world.ts";
import { icon } from "../../parts/icon.ts";
import type { InOtherWords, Sections } from "../../words/index.ts";
import "../../parts/copy-command.ts";

type Need = MethodAnswer<"credentials.list">["missing"][number];

interface Waiting {
  readonly world: World;
  readonly words: InOtherWords<Sections["credentials"]>;
}

export function renderWaiting(missing: readonly Need[], { world, words }: Waiting): TemplateResult {
  return html`<section class="card credentials-waiting">
    <h2>${icon("warning")}${words.waitingTitle(missing.length)}</h2>
    <ul>
      ${missing.map(
        (need) =>
          html`<li>
            <h3>${renderName(need, words)}</h3>
            <p class="hint">${whyOf(need, words)}</p>
            <chela-copy-command
              .world=${world}
              .text=${need.fix}
              label=${words.copyCommand(need.fix)}
            ></chela-copy-command>
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderName({ kind, name, detail }: Need, words: Waiting["words"]): TemplateResult {
  if (kind === "model") return html`${words.waiting_model(name)}`;
  if (kind === "tool") return html`${words.makes_tool(name)}`;
  const says = words.makes_channel(detail ? `${name} (${detail})` : name);
  return html`<a href=${writeRoute("channels", [], { channel: name })}>${says}</a>`;
}

/** What a channel or a tool lacks is its own sentence. */
function whyOf({ kind, name, why }: Need, words: Waiting["words"]): string {
  return kind === "model" ? words.waiting_why(name.split("/", 1)[0] ?? name) : why;
}
