// Size of what is sent to the model for the shortest message in a new session: prompt, tools and all.
import type { Figure } from "../figure.ts";
import { withGateway, type TurnRunner } from "../workbench.ts";

export async function measurePrompt(bench: TurnRunner): Promise<Figure[]> {
  return withGateway(bench, async ({ client }) => {
    await client.turn("agent:main:prompt", "ping");
    const bytes = await bench.model.newestSize();
    return [{ metric: 'request body for "ping"', unit: "KiB", samples: [bytes / 1024] }];
  });
}
