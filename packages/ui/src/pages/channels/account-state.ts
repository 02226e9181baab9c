// State of an account, in one word. Where no telephone is linked, "not linked" means refused credentials.
import { channelState, toneOf, type ChannelState } from "../../state/channel-state.ts";
import type { ChannelAccount } from "./accounts-of.ts";

export type AccountState = ChannelState | "refused";

export function accountState({
  row,
  isLinkedByPerson,
}: Pick<ChannelAccount, "row" | "isLinkedByPerson">): AccountState {
  const state = channelState(row);
  return state === "unlinked" && isLinkedByPerson === false ? "refused" : state;
}

export function stateTone(state: AccountState): ReturnType<typeof toneOf> {
  return state === "refused" ? "bad" : toneOf(state);
}
