// Joins the tool `cron` with the jobs, and with the conversation it is used in.
import type { House } from "../../house/house.ts";
import type { CronToolParts } from "../../rooms/cron/cron-tool.ts";
import { MessageBody } from "../message-body.ts";

export type CronToolNeeds = Pick<House, "ledger" | "keys" | "cron" | "wake">;

const WEBCHAT = "webchat";

export function cronToolParts({ ledger, keys, cron, wake }: CronToolNeeds): CronToolParts {
  return {
    open: () => cron.open(),
    // The tool is for owners only.
    wake: (event) => wake({ ...event, standing: "owner" }),
    defaultAgentId: () => keys().defaultAgentId,
    async recentTexts(sessionKey, limit) {
      const exchanges = await ledger.exchanges(sessionKey, limit);
      const said = exchanges.flatMap(({ message, outcome }) => [
        `User: ${String(message.body["text"] ?? "")}`,
        ...(outcome?.texts ?? []).map((text) => `Assistant: ${text}`),
      ]);
      return said.slice(-limit);
    },
    async placeOf({ sessionKey, runId }) {
      const asked = (await ledger.run(runId))?.message;
      const origin = asked && MessageBody().safeParse(asked.body).data?.origin;
      if (asked && origin) {
        const { to, threadId } = origin.target;
        return {
          channel: asked.channel,
          to,
          accountId: asked.account,
          ...(threadId === undefined ? {} : { threadId }),
        };
      }
      const { lastChannel, lastTo, lastAccountId, lastThreadId } = (await ledger.session(sessionKey)) ?? {};
      if (!lastChannel || lastChannel === WEBCHAT || !lastTo) return { channel: WEBCHAT, to: sessionKey };
      return {
        channel: lastChannel,
        to: lastTo,
        ...(lastAccountId ? { accountId: lastAccountId } : {}),
        ...(lastThreadId === undefined ? {} : { threadId: String(lastThreadId) }),
      };
    },
  };
}
