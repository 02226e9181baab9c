// People of one platform: what they have in common, and what may happen to a message on its way to them.
import type { Random } from "../durability/durability-random.ts";
import type { Tally } from "./chaos-tally.ts";
import type { Json } from "../wire-client.ts";

export interface Crowd extends AsyncDisposable {
  readonly channel: string;
  /** The channel's block in the configuration. */
  readonly settings: Json;
  /** Says everything; resolves when all of it was handed over. */
  speak(gatewayPort: number): Promise<void>;
  /** The network between this platform and the gateway. */
  cut(): void;
  restore(): void;
  /** Resolves when all that the platform had taken when it was called was heard; absent where that is always so. */
  hearAll?(): Promise<void>;
}

export interface CrowdParts {
  readonly random: Random;
  readonly tally: Tally;
  /** How many people there are, and how much each of them says. */
  readonly people: number;
  readonly messages: number;
  /** A reply whose sender cannot know that it arrived: it may come once more. */
  excuse(mark: string): void;
}

/** What a platform does with a message it is handed. */
type Fate = "taken" | "too many" | "broken" | "taken, but no word of it";

/** Each message meets one fault at most, so that none of them waits for minutes. */
export function createFates(random: Random): (mark: string) => Fate {
  const hadFault = new Set<string>();
  return (mark) => {
    if (hadFault.has(mark) || !random.chance(0.05)) return "taken";
    hadFault.add(mark);
    return random.pick(["too many", "broken", "broken", "taken, but no word of it", "taken, but no word of it"]);
  };
}

/** More than one message waits for its answer, but not all of them. */
export const MOST_WAITING = 8;
