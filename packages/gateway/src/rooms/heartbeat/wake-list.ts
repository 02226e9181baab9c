// Conversations that were woken and not looked at yet. Written together with what woke them, so that a crash in between loses nothing.
import * as z from "zod";
import { once, type Change, type Ledger, OneAtATime } from "@chela/sdk";
import { parsed, type BeatHome } from "./state.ts";
import { isWaitingEvent } from "./waiting-events.ts";

export interface Wake extends BeatHome {
  readonly reason: string;
}

const KEY = "heartbeat.wakes";
const Wakes = once(() => z.array(z.object({ agentId: z.string(), sessionKey: z.string(), reason: z.string() })));

export class WakeList {
  readonly #ledger: Ledger;
  readonly #oneAtATime = new OneAtATime();

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  async read(): Promise<readonly Wake[]> {
    return parsed(await this.#ledger.value(KEY), Wakes()) ?? [];
  }

  /** In one commit with what woke it. */
  add(wake: Wake, changes: readonly Change[]): Promise<void> {
    return this.#change((wakes) => [...wakes.filter((other) => !isSame(other, wake)), wake], changes);
  }

  /** What it was woken for has been told: nothing waits in it any more. One that comes at this moment is not lost. */
  async tidy(home: BeatHome): Promise<void> {
    if (!(await this.read()).some((wake) => isSame(wake, home))) return;
    await this.#change(async (wakes) => {
      const waits = (await this.#ledger.asides(home.sessionKey)).some(isWaitingEvent);
      return waits ? wakes : wakes.filter((other) => !isSame(other, home));
    });
  }

  #change(
    change: (wakes: readonly Wake[]) => readonly Wake[] | Promise<readonly Wake[]>,
    more: readonly Change[] = [],
  ): Promise<void> {
    return this.#oneAtATime.run(KEY, async () => {
      const before = await this.read();
      const value = JSON.stringify(await change(before));
      const put: Change[] = value === JSON.stringify(before) ? [] : [{ kind: "value-put", key: KEY, value }];
      if (put.length + more.length > 0) await this.#ledger.commit([...put, ...more]);
    });
  }
}

function isSame(one: BeatHome, other: BeatHome): boolean {
  return one.agentId === other.agentId && one.sessionKey === other.sessionKey;
}

/** For a start: whether an earlier process left somebody who waits. */
export async function hasWakes(ledger: Ledger): Promise<boolean> {
  return ((await ledger.value(KEY)) ?? "[]") !== "[]";
}
