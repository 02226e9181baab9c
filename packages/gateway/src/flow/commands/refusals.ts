// Failures that a person can do something about, as answers to a command.
import { GatewayError } from "@chela/sdk";
import type { Refusal } from "../../rooms/commands/room.ts";

export function orRefusal<T>(work: () => T): T | Refusal {
  try {
    return work();
  } catch (error) {
    return refusalOf(error);
  }
}

export async function asyncOrRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work();
  } catch (error) {
    return refusalOf(error);
  }
}

function refusalOf(error: unknown): Refusal {
  if (!GatewayError.is(error)) throw error;
  return { kind: "refused", why: error.explain() };
}
