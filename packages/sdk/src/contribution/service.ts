// Services: what a part runs by itself, between a start of the gateway and its stop.

export interface Service<House> {
  /**
   * Asked at a start, and again when another configuration is in force; one that does not ask is there in every gateway.
   * Part of every start: it looks, and loads nothing.
   */
  isNeeded?(house: House): boolean | Promise<boolean>;
  /** Reads what an earlier process left. Nothing of it goes on before all that are needed are open. */
  open(house: House): Promise<RunningService>;
}

/**
 * The phases of a service. Each is over for all services before the next begins: opened and started in the order of the
 * contributions, stopped, left and closed in reverse. The process may die between any two of them: what was promised is
 * in the ledger, and `open` and `start` go on with it.
 */
export interface RunningService {
  /** Clients are there, no turn runs yet: what an earlier process left goes on. One that is opened later is started at once. */
  start?(): void | Promise<void>;
  /** Another configuration is in force; `changed` are the paths that differ. */
  configured?(changed: readonly string[]): void;
  /** The gateway stops: nothing more begins by itself. What is nearly done may come to its end. */
  stop?(): void | Promise<void>;
  /** What still runs is left to the next start; turns are waited for behind this. */
  leave?(): void | Promise<void>;
  /** No turn runs any more: what is held is given back, what waits is written. */
  close?(): void | Promise<void>;
}
