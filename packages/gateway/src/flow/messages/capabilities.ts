// Actions that a connection can do: a capability is a method that is there.
import { GatewayError, type ChannelConnection } from "@chela/sdk";
import { ACTIONS, type MessageAction } from "./request.ts";

type Ability = (connection: ChannelConnection) => unknown;

/** What an action needs besides sending, which every channel can. */
const NEEDS: Readonly<Partial<Record<MessageAction, Ability>>> = {
  "thread-create": ({ createThread }) => createThread,
  react: ({ react }) => react,
  edit: ({ edit }) => edit,
  unsend: ({ unsend }) => unsend,
  pin: ({ pin }) => pin,
  unpin: ({ pin }) => pin,
  reactions: ({ reactions }) => reactions,
  read: ({ history }) => history,
  "list-pins": ({ pins }) => pins,
  "thread-list": ({ threads }) => threads,
  "channel-list": ({ directory }) => directory?.groups,
  "member-info": ({ directory }) => directory?.members,
};

/** Without a connection nothing but sending is sure. */
export function actionsOf(connection: ChannelConnection | undefined): readonly MessageAction[] {
  const all = Object.keys(ACTIONS) as MessageAction[];
  return all.filter((action) => {
    const need = NEEDS[action];
    return need === undefined || (connection !== undefined && need(connection) !== undefined);
  });
}

export function requireAction(action: MessageAction, connection: ChannelConnection, channel: string): void {
  const possible = actionsOf(connection);
  if (possible.includes(action)) return;
  throw new GatewayError("CHANNEL_UNSUPPORTED", `${channel} has no "${action}". It has: ${possible.join(", ")}`);
}
