// All there is to know of one line.
import { html, nothing, type TemplateResult } from "lit";
import type { Words } from "../../words/index.ts";
import type { LogLine } from "./log-line.ts";
import "../../parts/editor/code-block.ts";

export function renderDetails(line: LogLine, all: Words): TemplateResult {
  const words = all.of("logs");
  return html`<dl class="pairs logs-details">
      <dt>${words.time}</dt>
      <dd>${line.at === undefined ? "–" : all.date(line.at, { dateStyle: "medium", timeStyle: "medium" })}</dd>
      <dt>${words.level}</dt>
      <dd>${line.level}</dd>
      ${
        line.of
          ? html`<dt>${words.part}</dt>
              <dd>${line.of}</dd>`
          : nothing
      }
      <dt>${words.text}</dt>
      <dd>${line.text}</dd>
    </dl>
    <chela-code-block .text=${prettyLine(line)} .language=${"json"}></chela-code-block>`;
}

function prettyLine({ raw }: LogLine): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
