// Arrival: a message at one of the doors, before anything was decided about it; and what may come of it.
import type { ChannelEvent, InboxMessage, RunOutcome, RunRecord, Standing } from "@chela/sdk";
import type { Sender } from "../rooms/access/room.ts";
import type { Commander } from "./end-conversations.ts";
import type { MessageBody } from "./message-body.ts";

export type Arrival = ClientArrival | ChannelArrival | NodeArrival;

/** From a client of our own (page, command line, HTTP): its scopes say what it may. */
export interface ClientArrival {
  readonly door: "client";
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly sender: Sender;
  readonly agentId?: string;
  readonly sessionKey?: string;
  readonly body: MessageBody;
}

/** From a messaging platform: nothing is known yet but what the platform says. */
export interface ChannelArrival {
  readonly door: "channel";
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly event: ChannelEvent;
}

/** What was said to a node: it has one conversation, its own, and the rights of a node. */
export interface NodeArrival {
  readonly door: "node";
  readonly runId: string;
  readonly channel: string;
  readonly account: string;
  readonly messageId: string;
  readonly route: AdmittedRoute;
  readonly body: MessageBody;
}

/** Work without a sender. */
export type OwnWork = Pick<InboxMessage, "runId" | "agentId" | "sessionKey"> & { readonly body: MessageBody };

export interface AdmittedRoute {
  readonly agentId: string;
  readonly sessionKey: string;
  readonly matchedBy: string;
  /** What the sender of a channel's event is to this gateway: where they are led depends on it. */
  readonly standing?: Standing;
}

export type InboundOutcome =
  /** Committed: it will be answered, whatever happens to this process. */
  | {
      readonly kind: "accepted";
      readonly runId: string;
      readonly sessionKey: string;
      readonly acceptedAt: number;
      readonly done: Promise<RunOutcome>;
    }
  /** `done` is there while the first one is still under way. */
  | { readonly kind: "duplicate"; readonly run: RunRecord; readonly done?: Promise<RunOutcome> }
  | {
      readonly kind: "stopped";
      readonly sessionKey: string;
      readonly runIds: readonly string[];
      /** How many sub-agents of the conversation were stopped with it. */
      readonly helpers: number;
      /** Something goes on that others asked for. */
      readonly isLeft?: true;
    }
  /** A command of somebody who may not give it: no answer, so that nobody learns what exists. */
  | { readonly kind: "ignored"; readonly sessionKey: string }
  /** `tell` is for the sender, once for each `once`; without it they hear nothing. */
  | {
      readonly kind: "refused";
      readonly why: string;
      readonly tell?: { readonly once: string; readonly text: string };
    };

/** Where the owner's handlers are told of what comes in, and may say no. */
export interface InboundHooks {
  /** Why the message is refused; undefined when it may pass. */
  received(
    message: Pick<InboxMessage, "channel" | "account" | "messageId">,
    route: AdmittedRoute,
    body: MessageBody,
  ): Promise<string | undefined>;
  /** Never rejects. */
  command(action: "new" | "reset" | "stop", sessionKey: string, by: Commander): Promise<void>;
  /** Any other one; nobody waits. */
  given(command: string, sessionKey: string, by: Commander): void;
}
