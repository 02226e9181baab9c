// The keyboard in a long list: one row has it, the arrows move it, and it follows what it is on when the list changes.
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { nextRow } from "./row-keys.ts";

interface FocusedList {
  count(): number;
  keyAt(index: number): string | undefined;
  /** Where a row of this key is now, if it is here. */
  indexOf(key: string): number | undefined;
  rowsInView(): number;
  /** Brings a row into view. */
  show(index: number): void;
}

type Host = ReactiveControllerHost & HTMLElement;

export class ListFocus implements ReactiveController {
  readonly #host: Host;
  readonly #list: FocusedList;
  #at = 0;
  #key: string | undefined;
  /** The row that is to have the focus as soon as it is there. */
  #wished: number | undefined;
  #hadFocus = false;

  constructor(host: Host, list: FocusedList) {
    this.#host = host;
    this.#list = list;
    host.addController(this);
  }

  /** The row Tab comes to: the one that had the focus, or else the first in sight. */
  tabStop(rendered: readonly number[], firstInSight: number): number | undefined {
    if (this.#key !== undefined && rendered.includes(this.#at)) return this.#at;
    return rendered.find((index) => index >= firstInSight) ?? rendered[0];
  }

  go(index: number): void {
    if (index < 0 || index >= this.#list.count()) return;
    this.#at = index;
    this.#wished = index;
    this.#list.show(index);
    this.#host.requestUpdate();
  }

  again(): void {
    if (this.#key !== undefined) this.go(this.#at);
  }

  came({ target }: FocusEvent): void {
    const row = (target as HTMLElement).closest<HTMLElement>("[data-index]");
    if (!row) return;
    this.#at = Number(row.dataset["index"]);
    this.#key = this.#list.keyAt(this.#at);
    this.#host.requestUpdate();
  }

  pressed(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    // Keys in an open menu are the menu's.
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest(".popover")) return;
    if (event.key === "ArrowRight" || event.key === "ArrowLeft") return this.#sideways(event, target);
    // A menu's own button opens it with these.
    if (target.closest("chela-menu") && event.key.startsWith("Arrow")) return;
    const next = nextRow(event.key, this.#at, this.#list.count(), this.#list.rowsInView());
    if (next === undefined) return;
    event.preventDefault();
    this.go(next);
  }

  hostUpdate(): void {
    this.#hadFocus =
      document.activeElement?.closest("[data-index]") != null && this.#host.contains(document.activeElement);
    if (this.#key !== undefined && this.#wished === undefined) this.#at = this.#list.indexOf(this.#key) ?? this.#at;
  }

  hostUpdated(): void {
    // A row that moved within the list loses the focus on its way.
    if (this.#hadFocus && document.activeElement === document.body) this.#wished ??= this.#at;
    if (this.#wished === undefined) return;
    const link = this.#host.querySelector<HTMLElement>(`[data-index="${this.#wished}"] a`);
    if (!link) return;
    this.#wished = undefined;
    link.focus({ preventScroll: true });
  }

  #sideways(event: KeyboardEvent, target: HTMLElement): void {
    const row = target.closest("[data-index]");
    const goal = event.key === "ArrowRight" ? "chela-menu button" : "a";
    const found = row?.querySelector<HTMLElement>(goal);
    if (!found) return;
    event.preventDefault();
    found.focus();
  }
}
