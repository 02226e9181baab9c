// Limit of mails from one sender in an hour: the last barrier against two machines that answer each other.
import { Recent } from "@chela/sdk/channel-kit";

const HOUR_MS = 3_600_000;
const MOST_SENDERS = 1000;

export class SenderLimit {
  readonly #perHour: number;
  /** By sender: when which mails came. */
  readonly #taken = new Recent<Map<string, number>>(MOST_SENDERS);

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** A mail that comes again counts once. `at` is when the server got it, so that what waited is not held against anybody. */
  allows(sender: string, mail: string, at: number): boolean {
    const mails = this.#taken.get(sender) ?? new Map<string, number>();
    if (mails.has(mail)) return true;
    for (const [id, when] of mails) if (when <= at - HOUR_MS) mails.delete(id);
    if (mails.size >= this.#perHour) return false;
    mails.set(mail, at);
    this.#taken.set(sender, mails);
    return true;
  }
}
