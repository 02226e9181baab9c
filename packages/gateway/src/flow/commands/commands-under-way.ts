// Commands that are being carried out: what is said behind one is answered as if it were done.

export class CommandsUnderWay {
  readonly #sessions = new Map<string, Set<PromiseWithResolvers<void>>>();

  /** `work` must not reject. */
  add(sessionKey: string, work: Promise<void>): void {
    const command = Promise.withResolvers<void>();
    const all = this.#sessions.get(sessionKey) ?? new Set();
    this.#sessions.set(sessionKey, all.add(command));
    void work.then(() => {
      command.resolve();
      all.delete(command);
      if (all.size === 0 && this.#sessions.get(sessionKey) === all) this.#sessions.delete(sessionKey);
    });
  }

  /** Resolves when those given up to now are done; undefined when there are none. */
  pendingIn(sessionKey: string): Promise<unknown> | undefined {
    const all = this.#sessions.get(sessionKey);
    return all && Promise.all([...all].map(({ promise }) => promise));
  }

  /** A command gave the session work to do, and may wait for that itself: nobody waits for the command any longer. */
  release(sessionKey: string): void {
    for (const { resolve } of this.#sessions.get(sessionKey) ?? []) resolve();
  }
}
