// Shows what to do: words, and commands that can be copied.
import { html, type TemplateResult } from "lit";
import type { World } from "../../app/world.ts";
import { partsOfFix } from "./fix-text.ts";
import "../../parts/copy-command.ts";

export function renderAdvice(text: string, world: World): TemplateResult {
  const words = world.words.of("security");
  return html`${partsOfFix(text).map((part) =>
    part.kind === "words"
      ? part.text
      : html`<chela-copy-command
          .world=${world}
          .text=${part.text}
          label=${words.copyCommand(part.text)}
        ></chela-copy-command>`,
  )}`;
}
