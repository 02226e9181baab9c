// The pages: each is a folder here, and its `spec.ts` is found by itself. A page is loaded when somebody goes there.
import type { SVGTemplateResult } from "lit";
import type { MethodName } from "@chela/sdk/protocol";
import type { IconName } from "../parts/icon.ts";
import type { PageId, PageTitles, Section } from "../words/index.ts";

/** The headings of the sidebar, from above. */
export const GROUPS = ["talk", "watch", "shape", "keep"] as const;

/** What a page's folder says of it. Nothing here may be heavy: all of them are there before any page is. */
export interface PageSpec {
  /** In English. Other languages have theirs beside the words of the frame. */
  readonly title: string;
  /** One of ours, or a drawing of its own in a square of 24. */
  readonly icon: IconName | SVGTemplateResult;
  readonly group: (typeof GROUPS)[number];
  /** Where it stands in its group. */
  readonly order: number;
  /** A page whose method this gateway does not have is not there. */
  readonly needs: MethodName;
  /** Sections of words it needs besides its own. */
  readonly words?: readonly Section[];
  /** Defines the element `chela-<id>-page`. */
  load(): Promise<unknown>;
}

export interface PageEntry extends PageSpec {
  /** The name of its folder, of its place in the address and of its section of words. */
  readonly id: PageId;
}

const specs = import.meta.glob<PageSpec>("./*/spec.ts", { eager: true, import: "default" });

/** As the sidebar shows them. */
export const PAGES: readonly PageEntry[] = Object.entries(specs)
  .map(([path, spec]): PageEntry => ({ ...spec, id: path.split("/")[1] as PageId }))
  .sort((a, b) => GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) || a.order - b.order);

export const FIRST_PAGE = "chat";

/** What pages are called in English. */
export const PAGE_TITLES: PageTitles = Object.fromEntries(PAGES.map(({ id, title }) => [id, title]));
