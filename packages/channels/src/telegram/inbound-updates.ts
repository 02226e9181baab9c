// Reads updates and hands them over, one at a time; whoever fetches them sees to it that those of one chat keep their order.
import type { ChannelEvent, ChannelHost } from "@chela/sdk";
import type { TelegramApi } from "./api.ts";
import { fromCallback } from "./buttons.ts";
import { parseUpdate } from "./parse.ts";
import type { Us } from "./parse-origin.ts";

export interface ReadUpdate {
  /** Empty when it belongs to no chat. */
  readonly chatId: string;
  /** Resolves when the update is on the disk, and may be acknowledged; rejects when it must come again. */
  take(): Promise<void>;
}

export type UpdateReader = (raw: unknown) => ReadUpdate;

export function createUpdateReader(host: ChannelHost, api: TelegramApi, us: Us): UpdateReader {
  /** Otherwise the button keeps turning for a minute. That it fails changes nothing. */
  const answerButton = (callbackId: string, text?: string): void => {
    void api.call("answerCallbackQuery", { callback_query_id: callbackId, ...(text ? { text } : {}) });
  };

  const withData = async (event: ChannelEvent): Promise<ChannelEvent | undefined> => {
    if (event.content.kind !== "button") return event;
    const data = await fromCallback(event.content.data, host);
    return data === undefined ? undefined : { ...event, content: { ...event.content, data } };
  };

  const receive = async (events: readonly ChannelEvent[], callbackId: string | undefined): Promise<void> => {
    for (const event of events) {
      const complete = await withData(event);
      if (complete) await host.receive(complete);
      else host.log.info("a button was pressed that nothing is known of any more", { event: event.id });
      if (callbackId !== undefined) answerButton(callbackId, complete ? undefined : "This button no longer works.");
    }
  };

  return (raw) => {
    const parsed = parseUpdate(raw, us, host.clock.now());
    if (parsed.kind === "events") {
      const { events, callbackId } = parsed;
      return { chatId: events[0]?.chat.id ?? "", take: () => receive(events, callbackId) };
    }
    const passOver = async (): Promise<void> => {
      host.log.debug("an update was passed over", { why: parsed.why });
      if (parsed.callbackId !== undefined) answerButton(parsed.callbackId);
    };
    return { chatId: "", take: passOver };
  };
}
