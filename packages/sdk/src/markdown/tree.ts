// Types of a text in Markdown, as a tree. Every channel writes its own dialect from it.

export type Block =
  | { readonly kind: "paragraph"; readonly inline: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly inline: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string; readonly language?: string }
  | { readonly kind: "quote"; readonly blocks: readonly Block[] }
  | { readonly kind: "list"; readonly start?: number; readonly items: readonly ListItem[] }
  | {
      readonly kind: "table";
      readonly header: ReadonlyArray<readonly Inline[]>;
      readonly rows: ReadonlyArray<ReadonlyArray<readonly Inline[]>>;
      /** For each column that has one. */
      readonly align?: ReadonlyArray<"left" | "center" | "right" | undefined>;
    }
  | { readonly kind: "rule" };

export interface ListItem {
  /** Of a task list. */
  readonly isChecked?: boolean;
  readonly blocks: readonly Block[];
}

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bold" | "italic" | "strike" | "spoiler"; readonly inline: readonly Inline[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "link"; readonly href: string; readonly inline: readonly Inline[] }
  | { readonly kind: "image"; readonly href: string; readonly alt: string }
  | { readonly kind: "break" };
