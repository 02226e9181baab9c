// The one place where messages are sent and chats are acted in, whoever asks: the tool, a client, the command line.
import { defined } from "@chela/sdk/base";
import {
  agentOfSessionKey,
  describeRequester,
  GatewayError,
  toGatewayError,
  wordsBehindButton,
  type ChannelEvent,
  type OutboundMedia,
  type Standing,
} from "@chela/sdk";
import { accountsOf, configuredChannels } from "../../rooms/channels/room.ts";
import type { ChannelServices } from "../../house/open-channels.ts";
import { act, isOurs } from "./act.ts";
import { actionsOf, requireAction } from "./capabilities.ts";
import { findPlace } from "./find-place.ts";
import { findAccount, findSpot, type SpotParts } from "./find-spot.ts";
import { gatherMedia } from "./gather-media.ts";
import { createLetters, type Letter, type Letters } from "./letters.ts";
import type { SenderParts } from "./parts.ts";
import { isSameChat, judgeReach, markText, type CurrentChat, type Spot } from "./reach.ts";
import {
  ACTIONS,
  type Actor,
  type Delivered,
  type MessageSender,
  type MessageRequest,
  type MessageResult,
} from "./request.ts";
import { checkContent, wordMessage } from "./wording.ts";

const LETTERS: ReadonlySet<string> = new Set(["send", "broadcast", "poll", "reply", "thread-reply"]);
const MOST_TARGETS = 50;

/** Opened with the first question, like the channels behind it. */
interface SendingServices {
  readonly side: ChannelServices;
  readonly letters: Letters;
  readonly spots: SpotParts;
}

export function createMessageSender(parts: SenderParts): MessageSender {
  let opening: Promise<SendingServices> | undefined;
  const open = (): Promise<SendingServices> => {
    // Nothing of channels is loaded while none is configured.
    if (configuredChannels(parts.config.current()).length === 0) {
      throw new GatewayError("CHANNEL_UNKNOWN", "no channel is configured");
    }
    opening ??= parts.channels().then((side) => openSending(side, parts));
    return opening;
  };
  return {
    async perform(request, by) {
      const opened = await open();
      const from = by.kind === "agent" ? await findPlace(by, { ...parts, channels: opened.side.channels }) : undefined;
      const errand = new Errand(request, by, from, opened, parts);
      return LETTERS.has(request.action) ? errand.send() : errand.act();
    },
    async capabilitiesOf(channel, account) {
      const { side } = await open();
      return actionsOf(
        side.channels.connection({ channel, account: account ?? side.channels.defaultAccount(channel) }),
      );
    },
  };
}

function openSending(side: ChannelServices, parts: SenderParts): SendingServices {
  const { channels } = side;
  return {
    side,
    letters: createLetters(side, parts),
    spots: {
      configured: () => configuredChannels(parts.config.current()),
      channel: (id) => channels.channel(id),
      accounts: (channel) => accountsOf(parts.config.current(), channel).map(({ account }) => account),
      defaultAccount: (channel) => channels.defaultAccount(channel),
      connection: (channel, account) => channels.requireConnection({ channel, account }),
    },
  };
}

/** One request, from whoever asks to the chats it is about. */
class Errand {
  readonly #request: MessageRequest;
  readonly #by: Actor;
  readonly #from: CurrentChat | undefined;
  readonly #opened: SendingServices;
  readonly #parts: SenderParts;
  #media: Promise<OutboundMedia[]> | undefined;

  constructor(
    request: MessageRequest,
    by: Actor,
    from: CurrentChat | undefined,
    opened: SendingServices,
    parts: SenderParts,
  ) {
    this.#request = request;
    this.#by = by;
    this.#from = from;
    this.#opened = opened;
    this.#parts = parts;
  }

  async send(): Promise<MessageResult> {
    const { action } = this.#request;
    checkContent(this.#request);
    if (action !== "broadcast")
      return { kind: "sent", action, deliveries: [await this.#sendTo(this.#request.target, 0)] };
    const written = (this.#request.targets ?? []).map((target) => target.trim());
    const targets = [...new Set(written)].filter(Boolean);
    if (this.#settings?.broadcast?.enabled === false) {
      throw new GatewayError("MESSAGE_REACH", "broadcasts are switched off (tools.message.broadcast.enabled)");
    }
    if (targets.length === 0 || targets.length > MOST_TARGETS) {
      throw new GatewayError("MESSAGE_REQUEST", `"broadcast" needs 1 to ${MOST_TARGETS} targets.`);
    }
    const deliveries = await Promise.all(targets.map((target, at) => this.#tryTarget(target, at)));
    return { kind: "sent", action, deliveries };
  }

  async act(): Promise<MessageResult> {
    const { side, spots } = this.#opened;
    const { action } = this.#request;
    const isAboutAccount = action === "channel-list";
    const spot: Spot = isAboutAccount
      ? { ...findAccount(this.#request, this.#from, spots), target: { to: "" }, chat: { kind: "group", id: "" } }
      : await findSpot(this.#request, this.#from, spots);
    const { channel, account } = spot;
    const to = isAboutAccount ? {} : { to: spot.target.to };
    const isHere = this.#from !== undefined && isSameChat(this.#from, spot);
    await this.#admit(spot);
    const connection = side.channels.requireConnection({ channel, account });
    requireAction(action, connection, channel);
    if (action === "unsend") await this.#checkUnsend(spot);
    if (this.#request.dryRun) return { kind: "done", action, channel, ...to, found: { dryRun: true } };
    const found = await act({
      request: this.#request,
      spot,
      connection,
      askedBy: isHere ? this.#from?.messageId : undefined,
      mayShow: async ({ sender }) =>
        this.#by.kind === "operator" || side.gate.mayQuote(channel, account, eventIn(spot), sender),
    });
    return { kind: "done", action, channel, ...to, found };
  }

  /** One target that cannot be written to does not keep the message from the others. */
  async #tryTarget(target: string, at: number): Promise<Delivered> {
    try {
      return await this.#sendTo(target, at);
    } catch (error) {
      const channel = this.#request.channel ?? this.#from?.channel ?? "";
      return { channel, to: target, state: "undeliverable", error: toGatewayError(error, "CHANNEL_REFUSED").message };
    }
  }

  async #sendTo(target: string | undefined, at: number): Promise<Delivered> {
    const { letters, spots } = this.#opened;
    const name = `${this.#by.key}:${at}`;
    const known = this.#request.dryRun ? undefined : await letters.known(name, this.#signal);
    if (known) return known;
    const spot = await findSpot({ ...this.#request, target }, this.#from, spots);
    const { isElsewhere } = await this.#admit(spot);
    if (this.#request.dryRun) return planned(spot);
    return letters.send(await this.#write(name, spot, isElsewhere), this.#signal);
  }

  async #write(name: string, spot: Spot, isElsewhere: boolean): Promise<Letter> {
    const { silent } = this.#request;
    const buttons = this.#request.buttons?.map((row) =>
      row.map(({ text, data }) => ({ text, data: wordsBehindButton(data, this.#madeFor()) })),
    );
    // Files are fetched once, however many people get them.
    const media = await (this.#media ??= gatherMedia(this.#request, this.#by, this.#parts));
    const mark = (text: string) => (isElsewhere ? markText(text, this.#from?.channel ?? "", this.#settings) : text);
    const askedBy = isElsewhere ? undefined : this.#from?.messageId;
    const { content, told } = wordMessage(this.#request, media, mark, askedBy);
    const mirror = await this.#mirror(spot, told);
    return {
      name,
      runId: this.#by.kind === "agent" ? this.#by.runId : this.#by.key,
      agentId: this.#by.agentId ?? this.#parts.defaultAgent(),
      spot,
      content,
      ...(buttons ? { buttons } : {}),
      ...(silent ? { isSilent: true } : {}),
      ...(mirror ? { mirror } : {}),
    };
  }

  /** Throws MESSAGE_REACH. */
  async #admit(spot: Spot): Promise<{ readonly isElsewhere: boolean }> {
    const by = this.#by;
    const reach = ACTIONS[this.#request.action];
    const question = { reach, from: this.#from, to: spot, settings: this.#settings };
    const verdict =
      by.kind === "operator"
        ? ({ kind: "allowed", isElsewhere: false } as const)
        : judgeReach({ ...question, isOwner: by.requester.isOwner });
    if (verdict.kind === "refused") throw new GatewayError("MESSAGE_REACH", verdict.why);
    if (reach === "send") await this.#checkPolicy(spot);
    return verdict;
  }

  /** Neither out of a conversation that may not send, nor into one that may not be written to. */
  async #checkPolicy(spot: Spot): Promise<void> {
    const keys = new Set([this.#by.sessionKey ?? "", await this.#sessionKeyOf(spot)]);
    for (const key of keys) {
      if (key === "" || (await this.#parts.sendPolicy(key, spot.channel)) === "allow") continue;
      throw new GatewayError(
        "MESSAGE_REACH",
        "sending is switched off for this conversation (/send, session.sendPolicy)",
      );
    }
  }

  async #checkUnsend(spot: Spot): Promise<void> {
    const { messageId = "" } = this.#request;
    if (this.#by.kind === "operator" || this.#by.requester.isOwner) return;
    if (await isOurs(messageId, spot, this.#parts.ledger)) return;
    throw new GatewayError("MESSAGE_REACH", "only an owner may have messages deleted that you did not send");
  }

  async #mirror(spot: Spot, text: string): Promise<Letter["mirror"]> {
    const asked = this.#by.kind === "operator" ? this.#by.sessionKey : undefined;
    const sessionKey = asked ?? (await this.#sessionKeyOf(spot));
    // An agent knows what it said in its own conversation.
    const saidIn = this.#by.kind === "agent" ? this.#by.sessionKey : this.#by.saidIn;
    if (sessionKey === saidIn) return undefined;
    // How a channel counts its threads is known once somebody wrote in one.
    if (spot.target.threadId !== undefined && !(await this.#parts.ledger.session(sessionKey))) return undefined;
    const agentId = agentOfSessionKey(sessionKey) ?? this.#parts.defaultAgent();
    const sentFor = this.#sentFor();
    return { sessionKey, agentId, spot, text, ...defined({ sentFor }) };
  }

  /** With whose rights somebody who presses its buttons speaks at most. */
  #madeFor(): Standing {
    if (this.#by.kind === "agent") return this.#by.requester.standing;
    return this.#by.sentFor === undefined ? "owner" : "stranger";
  }

  /** Undefined when an owner had it sent. */
  #sentFor(): string | undefined {
    const by = this.#by;
    if (by.kind === "operator") return by.sentFor;
    const { isOwner, name, id } = by.requester;
    return isOwner ? undefined : `${name ?? id} (${describeRequester(by.requester)})`;
  }

  async #sessionKeyOf(spot: Spot): Promise<string> {
    const { channel, account } = spot;
    return (await this.#opened.side.routeOf({ channel, account }, eventIn(spot))).sessionKey;
  }

  get #settings() {
    return this.#parts.config.current().tools?.message;
  }

  get #signal(): AbortSignal | undefined {
    return this.#by.kind === "agent" ? this.#by.signal : undefined;
  }
}

/** As if somebody wrote there: what routes and gates want to know. */
function eventIn({ chat, target }: Spot): ChannelEvent {
  const thread = target.threadId === undefined ? {} : { threadId: target.threadId };
  return {
    id: "",
    at: 0,
    chat: { kind: chat.kind, id: chat.id, ...thread },
    sender: { id: chat.kind === "direct" ? chat.id : "" },
    replyTarget: target,
    content: { kind: "notice", text: "" },
  };
}

function planned({ channel, account, target }: Spot): Delivered {
  const thread = target.threadId === undefined ? {} : { threadId: target.threadId };
  return { channel, accountId: account, to: target.to, ...thread, state: "planned" };
}
