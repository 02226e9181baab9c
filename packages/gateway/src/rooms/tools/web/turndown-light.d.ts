// The build of turndown that takes DOM nodes only, and so does not load an HTML parser of its own; as much of it as we use.
declare module "turndown/lib/turndown.browser.cjs.js" {
  import type { PageElement } from "./hidden-elements.ts";

  interface Rule {
    readonly filter: string | readonly string[];
    readonly replacement: (content: string, node: PageElement) => string;
  }

  export default class TurndownService {
    constructor(options: Readonly<Record<string, string>>);
    addRule(name: string, rule: Rule): this;
    turndown(node: PageElement): string;
  }
}
