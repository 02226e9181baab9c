// Maps vectors to slots, both ways.

export class IdSlots {
  readonly #ids: number[] = [];
  /** Only changes need it, and it takes longer to fill than the rest of a load. */
  #slots: Map<number, number> | undefined;

  appendAll(ids: Iterable<number>): void {
    for (const id of ids) this.append(id);
  }

  append(id: number): void {
    this.#slots?.set(id, this.#ids.length);
    this.#ids.push(id);
  }

  idAt(slot: number): number {
    const id = this.#ids[slot];
    if (id === undefined) throw new RangeError(`slot ${slot} is empty`);
    return id;
  }

  slotOf(id: number): number | undefined {
    this.#slots ??= this.#invert();
    return this.#slots.get(id);
  }

  /** The last id takes the place of this one. */
  replaceByLast(slot: number): void {
    const [gone, last] = [this.idAt(slot), this.idAt(this.#ids.length - 1)];
    this.#ids[slot] = last;
    this.#ids.pop();
    this.#slots?.set(last, slot);
    this.#slots?.delete(gone);
  }

  slice(first: number, end: number): readonly number[] {
    return this.#ids.slice(first, end);
  }

  #invert(): Map<number, number> {
    const slots = new Map<number, number>();
    this.#ids.forEach((id, slot) => slots.set(id, slot));
    return slots;
  }
}
