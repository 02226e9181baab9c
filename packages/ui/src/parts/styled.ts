// Measures that come from data, such as the length of a bar: set by script, since the page's rules forbid style attributes.
import { nothing } from "lit";
import { Directive, directive, PartType, type ElementPart, type PartInfo } from "lit/directive.js";

export type Measures = Readonly<Record<string, string>>;

class Styled extends Directive {
  #known = new Set<string>();

  constructor(info: PartInfo) {
    super(info);
    if (info.type !== PartType.ELEMENT) throw new Error("styled() stands in a tag, not in an attribute");
  }

  override render(_measures: Measures): typeof nothing {
    return nothing;
  }

  override update(part: ElementPart, [measures]: [Measures]): typeof nothing {
    const { style } = part.element as HTMLElement;
    for (const name of this.#known) if (!(name in measures)) style.removeProperty(name);
    for (const [name, value] of Object.entries(measures)) style.setProperty(name, value);
    this.#known = new Set(Object.keys(measures));
    return nothing;
  }
}

/** `<div ${styled({ "--share": "40%" })}>` */
export const styled = directive(Styled);
