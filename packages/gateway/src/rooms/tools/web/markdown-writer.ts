// Writes the nodes of a page as markdown; pictures become their descriptions, tables keep their columns.
import TurndownService from "turndown/lib/turndown.browser.cjs.js";
import type { PageElement } from "./hidden-elements.ts";

export function createMarkdownWriter(): (element: PageElement) => string {
  const writer = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  writer.addRule("picture", {
    filter: ["img"],
    replacement: (_, node) => {
      const words = node.getAttribute("alt")?.replace(/\s+/g, " ").trim();
      return words ? `[picture: ${words.slice(0, 200)}]` : "";
    },
  });
  writer.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) => ` ${inOneLine(content).replaceAll("|", "\\|")} |`,
  });
  writer.addRule("row", { filter: "tr", replacement: (content, node) => row(content, node) });
  writer.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  writer.addRule("rows", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  return (element) => writer.turndown(element);
}

function inOneLine(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim())
    .join(" ")
    .trim();
}

/** The first row of a table is its head, whether it says so or not. */
function row(content: string, node: PageElement): string {
  const isFirst = node.closest("table")?.querySelector("tr") === node;
  const line = `\n|${content}`;
  return isFirst ? `${line}\n|${" --- |".repeat(node.children.length)}` : line;
}
