// Shows only those rows of a long list that can be seen. Rows may have any height; they are measured as they appear.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualItem,
} from "@tanstack/virtual-core";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { NEAR_PX, StayAtEnd } from "./stay-at-end.ts";

export interface RowRules {
  readonly count: number;
  /** What scrolls; rows are somewhere inside it, each with `data-index`. */
  scroller(): HTMLElement | null;
  estimate(index: number): number;
  /**
   * By what a measured row is known again. Without it every row is as high as estimated, and none is measured. It is
   * asked for every row whenever a height changes: it must cost next to nothing.
   */
  keyOf?(index: number): string | number;
  /** The newest row is the last one, and stays in view while somebody is looking at it. */
  readonly sticksToEnd?: boolean;
  readonly overscan?: number;
}

export class VirtualRows implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #rules: () => RowRules;
  /** Always the same function: with another one all rows would be laid out anew at every change of the page. */
  readonly #keyOf = (index: number): string | number => this.#now?.keyOf?.(index) ?? index;
  #now: RowRules | undefined;
  readonly #end = new StayAtEnd();
  #virtualizer: Virtualizer<HTMLElement, HTMLElement> | undefined;
  #unmount: (() => void) | undefined;

  constructor(host: ReactiveControllerHost, rules: () => RowRules) {
    this.#host = host;
    this.#rules = rules;
    host.addController(this);
  }

  /** The rows to render, each with its place: put `data-index` on it and move it to `start`. */
  get rows(): readonly VirtualItem[] {
    return this.#virtualizer?.getVirtualItems() ?? [];
  }

  /** Height of all rows together. */
  get height(): number {
    return this.#virtualizer?.getTotalSize() ?? 0;
  }

  get isAtEnd(): boolean {
    return (this.#virtualizer?.getDistanceFromEnd() ?? 0) < NEAR_PX;
  }

  goTo(index: number, align: "start" | "center" | "end" | "auto" = "start"): void {
    this.#end.leave();
    this.#virtualizer?.scrollToIndex(index, { align });
  }

  goToEnd(): void {
    this.#end.take();
    const { count } = this.#rules();
    if (count > 0) this.#virtualizer?.scrollToIndex(count - 1, { align: "end" });
  }

  /** The rows are others now: what was measured is of no use. */
  forget(): void {
    this.#end.take();
    this.#virtualizer?.measure();
  }

  hostUpdate(): void {
    const options = this.#options();
    if (this.#virtualizer) this.#virtualizer.setOptions(options);
    else this.#virtualizer = new Virtualizer(options);
  }

  hostUpdated(): void {
    const virtualizer = this.#virtualizer;
    if (!virtualizer) return;
    this.#unmount ??= virtualizer._didMount();
    virtualizer._willUpdate();
    const rules = this.#rules();
    const scroller = rules.scroller();
    if (rules.keyOf) {
      for (const row of scroller?.querySelectorAll<HTMLElement>("[data-index]") ?? []) virtualizer.measureElement(row);
    }
    if (rules.sticksToEnd && scroller) this.#end.keep(scroller);
  }

  hostDisconnected(): void {
    this.#unmount?.();
    this.#unmount = undefined;
    this.#virtualizer = undefined;
    this.#end.release();
  }

  #options(): ConstructorParameters<typeof Virtualizer<HTMLElement, HTMLElement>>[0] {
    const rules = this.#rules();
    this.#now = rules;
    return {
      count: rules.count,
      getScrollElement: () => rules.scroller(),
      estimateSize: (index) => rules.estimate(index),
      ...(rules.keyOf ? { getItemKey: this.#keyOf } : {}),
      overscan: rules.overscan ?? 6,
      ...(rules.sticksToEnd ? { anchorTo: "end", followOnAppend: true, scrollEndThreshold: NEAR_PX } : {}),
      scrollToFn: (offset, how, virtualizer) => {
        elementScroll(offset, how, virtualizer);
        this.#end.noteWrite();
      },
      observeElementRect,
      observeElementOffset,
      onChange: () => this.#host.requestUpdate(),
    };
  }
}
