// Methods about what other programs may send over HTTP.
import type { WEBHOOK_METHODS, Handlers } from "@chela/sdk/protocol";
import type { House } from "../../house/house.ts";

export function webhookMethods({ webhooks: open }: House): Pick<Handlers, keyof typeof WEBHOOK_METHODS> {
  return {
    async "webhooks.list"() {
      const { problems, webhooks, recent, ...list } = await (await open()).list();
      return { ...list, problems: [...problems], webhooks: [...webhooks], recent: [...recent] };
    },
    async "webhooks.test"(trial) {
      return (await open()).test(trial);
    },
  };
}
