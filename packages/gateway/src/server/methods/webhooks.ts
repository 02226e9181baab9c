// Methods about what other programs may send over HTTP.
import type { Handlers } from "../dispatch.ts";
import type { GatewayParts } from "../gateway-parts.ts";

export function webhookMethods({ automation }: GatewayParts): Pick<Handlers, "webhooks.list" | "webhooks.test"> {
  return {
    async "webhooks.list"() {
      const { problems, webhooks, recent, ...list } = await (await automation.webhooks()).list();
      return { ...list, problems: [...problems], webhooks: [...webhooks], recent: [...recent] };
    },
    async "webhooks.test"(trial) {
      return (await automation.webhooks()).test(trial);
    },
  };
}
