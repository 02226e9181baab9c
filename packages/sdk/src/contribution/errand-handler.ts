// Interface of an errand's kind: how it is carried out, what a crash means for it, and what is written with its end.
import type { ErrandKind, ErrandOutcome, ErrandRecord } from "../errands.ts";
import type { Change } from "../ledger.ts";
import type { KnownPerson } from "../people.ts";

/** A turn of an agent in the errand's conversation. */
export interface ErrandTurn {
  readonly text: string;
  readonly thinking?: string;
  readonly timeoutMs?: number;
  readonly extraSystemPrompt?: string;
  readonly label?: string;
  readonly spawnedBy?: string;
  readonly provenance?: Readonly<Record<string, unknown>>;
  /** The job that asks. What it asks stands in a person's place, and must not be taken for their words. */
  readonly job?: { readonly id: string; readonly name: string };
  /** In whose name it acts. Rights are never more than named here, and never more than its agent has. */
  readonly sender: {
    readonly id: string;
    readonly name?: string;
    readonly isOwner: boolean;
    readonly person?: KnownPerson;
  };
  readonly terms?: {
    readonly model?: string;
    readonly fallbacks?: readonly string[];
    readonly tools?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
    readonly context?: "full" | "minimal" | "light";
    readonly forgetsEarlier?: boolean;
    readonly isFresh?: boolean;
  };
  /** Nobody is told of it while it runs, and chat windows do not show it. */
  readonly isHidden?: boolean;
}

export interface CarryOut {
  /** Aborts when the errand is stopped; a turn is stopped by then. */
  readonly signal: AbortSignal;
  /** Runs, or after a crash goes on with, the errand's turn. */
  turn(turn: ErrandTurn): Promise<ErrandOutcome>;
}

/** A kind of errands that a part gives, and what carries them out: loaded with the first of them, also after a crash. */
export interface ErrandSource<House> {
  readonly kind: ErrandKind;
  handler(house: House): Promise<ErrandHandler>;
}

export interface ErrandHandler {
  carryOut(errand: ErrandRecord, how: CarryOut): Promise<ErrandOutcome>;
  /** The gateway died while it was carried out: once more (a turn goes on where it was), or that was its end. */
  afterCrash(errand: ErrandRecord): Promise<"again" | ErrandOutcome>;
  /** What is to be delivered of an outcome; nothing means that nobody has to hear of it. */
  tidings?(errand: ErrandRecord, outcome: ErrandOutcome): readonly string[];
  /** What else becomes true with its end, in the same commit. */
  settling?(errand: ErrandRecord): Promise<readonly Change[]>;
  /** It is over, and written. */
  settled?(errand: ErrandRecord): void;
}
