// Where a browser is sent back to after a sign-in: the page says in a sentence what became of it.
import { GatewayError, type HttpCall } from "@chela/sdk";
import type { House } from "../../../house/house.ts";
import { sendText } from "../../../base/http/request.ts";

export async function answerCallback({ url, response }: HttpCall, { mcp }: Pick<House, "mcp">): Promise<void> {
  try {
    const { servers, signIns } = await mcp();
    const settings = await signIns.finish(url.searchParams);
    await servers.letGo(settings.id);
    sendText(response, 200, `Signed in to ${settings.name}. You can close this page.\n`);
  } catch (error) {
    if (!GatewayError.is(error)) throw error;
    sendText(response, 400, `${error.explain()}\n`);
  }
}
