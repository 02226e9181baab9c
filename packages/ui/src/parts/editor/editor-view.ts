// CodeMirror, set up for this page: its colours, its keys, and marks where something is wrong.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, StateEffect, StateField, type Extension } from "@codemirror/state";
import {
  Decoration,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type DecorationSet,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { EditorLanguage, EditorProblem } from "./editor.ts";
import { json5 } from "./json5-language.ts";

interface SetUp {
  readonly value: string;
  readonly language: EditorLanguage;
  readonly readOnly: boolean;
  readonly label: string;
}

export interface EditorHandle {
  readonly element: HTMLElement;
  setText(text: string): void;
  setUp(now: SetUp): void;
  setProblems(problems: readonly EditorProblem[]): void;
  jumpTo(line: number, column: number): void;
  focus(): void;
  destroy(): void;
}

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "0.8125rem", color: "var(--text)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", overflow: "auto" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--text)" },
  ".cm-gutters": { border: "0", background: "transparent", color: "var(--soft)" },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--hover) 45%, transparent)" },
  ".cm-selectionMatch": { background: "var(--accent-wash)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: "var(--accent-wash)", outline: "none" },
  ".cm-problem-error": { boxShadow: "inset 3px 0 var(--bad)", background: "var(--bad-wash)" },
  ".cm-problem-warning": { boxShadow: "inset 3px 0 var(--warn)", background: "var(--warn-wash)" },
  ".cm-panels": { background: "var(--sunken)", color: "var(--text)" },
  ".cm-textfield": { border: "1px solid var(--line-strong)", background: "var(--surface)", color: "var(--text)" },
  ".cm-button": { border: "1px solid var(--line)", backgroundImage: "none", background: "var(--surface)" },
  ".cm-searchMatch": { background: "var(--warn-wash)", outline: "1px solid var(--warn)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.heading], color: "var(--chart-2)" },
  { tag: tags.heading, fontWeight: "600" },
  { tag: tags.string, color: "var(--chart-3)" },
  { tag: [tags.number, tags.link, tags.url], color: "var(--chart-4)" },
  { tag: [tags.bool, tags.null, tags.keyword, tags.monospace], color: "var(--chart-1)" },
  { tag: [tags.comment, tags.quote], color: "var(--soft)", fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "650" },
  { tag: tags.emphasis, fontStyle: "italic" },
]);

const showProblems = StateEffect.define<readonly EditorProblem[]>();

const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    const told = transaction.effects.find((effect) => effect.is(showProblems));
    if (!told) return marks.map(transaction.changes);
    const { doc } = transaction.state;
    const byLine = new Map<number, EditorProblem>();
    for (const problem of told.value as readonly EditorProblem[]) {
      const { line = 0, level } = problem;
      if (line < 1 || line > doc.lines) continue;
      if (level === "error" || !byLine.has(line)) byLine.set(line, problem);
    }
    const ranges = [...byLine].map(([line, { level, message }]) =>
      Decoration.line({ class: `cm-problem-${level}`, attributes: { title: message } }).range(doc.line(line).from),
    );
    return Decoration.set(ranges, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function variable({ readOnly, label }: SetUp): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      "aria-label": label,
      // Editable text can be reached anyway; said so that it can be checked.
      tabindex: "0",
      ...(readOnly ? { "aria-readonly": "true" } : {}),
    }),
  ];
}

/** Markdown brings several other languages along, so it comes only where it is written. */
async function loadLanguage(name: EditorLanguage): Promise<Extension> {
  if (name === "markdown") return (await import("@codemirror/lang-markdown")).markdown();
  return name === "json" ? json5 : [];
}

export function openEditor(root: ShadowRoot, first: SetUp, changed: (text: string) => void): EditorHandle {
  const setting = new Compartment();
  const language = new Compartment();
  let isOurs = false;
  let spoken: EditorLanguage = "text";
  const view = new EditorView({
    root,
    state: EditorState.create({
      doc: first.value,
      extensions: [
        lineNumbers(),
        history(),
        indentOnInput(),
        indentUnit.of("  "),
        bracketMatching(),
        highlightActiveLine(),
        // What cannot be seen, or turns the writing round, is shown as a sign.
        highlightSpecialChars(),
        highlightSelectionMatches(),
        syntaxHighlighting(colours),
        EditorView.lineWrapping,
        look,
        problemMarks,
        setting.of(variable(first)),
        language.of([]),
        // Tab is not taken for indenting: the keyboard must be able to leave.
        keymap.of([...searchKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isOurs) changed(update.state.doc.toString());
        }),
      ],
    }),
  });
  const speak = async (name: EditorLanguage): Promise<void> => {
    if (name === spoken) return;
    spoken = name;
    const extension = await loadLanguage(name);
    if (name === spoken) view.dispatch({ effects: language.reconfigure(extension) });
  };
  void speak(first.language);
  return {
    element: view.dom,
    setText(text) {
      if (text === view.state.doc.toString()) return;
      isOurs = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isOurs = false;
    },
    setUp(now) {
      view.dispatch({ effects: setting.reconfigure(variable(now)) });
      void speak(now.language);
    },
    setProblems: (problems) => view.dispatch({ effects: showProblems.of(problems) }),
    jumpTo(line, column) {
      const { from, to } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      const anchor = Math.min(from + Math.max(column - 1, 0), to);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
