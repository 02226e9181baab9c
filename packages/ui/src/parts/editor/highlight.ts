// Colours for code, as templates: the highlighter gives a tree, never HTML. Loaded with the first block of code.
import { html } from "lit";
import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Languages it does not know stay as they are. */
export function highlight(text: string, language: string): unknown {
  const name = language.toLowerCase();
  return lowlight.registered(name) ? lowlight.highlight(name, text).children.map(renderNode) : text;
}

function renderNode(node: Node): unknown {
  if (node.type === "text") return node.value;
  if (node.type !== "element") return "";
  const { className } = node.properties;
  return html`<span class=${Array.isArray(className) ? className.join(" ") : ""}
    >${node.children.map((child) => renderNode(child as Node))}</span
  >`;
}
