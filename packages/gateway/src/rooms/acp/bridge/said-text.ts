// What of a run's words the editor was told already: events carry the whole message so far, commits the finished one, and
// neither may be told twice or be lost. Pure.

export class SaidText {
  /** Everything told in this run. */
  #all = "";
  /** Of `#all`, what belongs to messages that are finished. */
  #settled = 0;
  /** Of the message that is being written. */
  #current = "";

  /** The message so far. Gives what is to be told. */
  grow(text: string): string {
    if (text.startsWith(this.#current)) return this.#tell(text.slice(this.#current.length), text);
    // Another message has begun.
    this.#current = "";
    return this.#tell(this.#all === "" || text === "" ? text : `\n\n${text}`, text);
  }

  /** A message as it was written down. Gives the part of it that was never told. */
  finish(text: string): string {
    const wanted = text.trimEnd();
    if (wanted === "") return "";
    const at = this.#all.indexOf(wanted, this.#settled);
    if (at >= 0) {
      this.#settled = at + wanted.length;
      if (wanted.startsWith(this.#current.trimEnd())) this.#current = "";
      return "";
    }
    const missing = this.grow(wanted);
    this.#current = "";
    this.#settled = this.#all.length;
    return missing;
  }

  /** The whole answer, told with the end of the run. Gives what of it was never told. */
  conclude(text: string): string {
    return this.#all.trimEnd().endsWith(text.trimEnd()) ? "" : this.finish(text);
  }

  #tell(more: string, current: string): string {
    this.#current = current;
    this.#all += more;
    return more;
  }
}
