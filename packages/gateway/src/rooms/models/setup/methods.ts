// Methods for a gateway that has no model yet: what there is, whether it works, and taking it into use.
import { GatewayError } from "@chela/sdk";
import { type SETUP_METHODS, type Handlers, asInvalid } from "@chela/sdk/protocol";
import type { House } from "../../../house/house.ts";

type SetupMethods = Pick<Handlers, keyof typeof SETUP_METHODS>;

export function setupMethods(gateway: House): SetupMethods {
  const { models, config } = gateway;
  const defaultAgent = () => gateway.keys().defaultAgentId;

  return {
    async "setup.status"() {
      const model = await modelOf(gateway, defaultAgent());
      const isDemo = model?.startsWith("demo/") ?? false;
      const providers = (await models.setup()).providers(defaultAgent()).map((one) => ({ ...one }));
      return { needsModel: model === undefined || isDemo, isDemo, ...(model ? { model } : {}), providers };
    },

    async "setup.scan"() {
      const servers = await (await models.setup()).scan();
      return {
        servers: servers.map(({ id, name, baseUrl, models: served }) => ({
          kind: id,
          label: name,
          baseUrl,
          models: served.map((model) => ({ id: model.id, name: model.name })),
        })),
      };
    },

    async "setup.test"(question) {
      const setup = await models.setup();
      const { models: served, problem, ...outcome } = await setup.test({ ...question, agentId: defaultAgent() });
      return {
        ...outcome,
        ...(served ? { models: served.map((model) => ({ ...model })) } : {}),
        ...(problem ? { problem: { ...problem } } : {}),
      };
    },

    async "setup.apply"(choice) {
      const agents = gateway.agents().map(({ id }) => id);
      const { ref, patch } = await (await models.setup()).take(choice, agents);
      try {
        config.mergePatch(JSON.stringify(patch), config.describe().hash);
      } catch (error) {
        throw asInvalid(error);
      }
      const answering = await modelOf(gateway, defaultAgent());
      const note = `The agent "${defaultAgent()}" has a model of its own, ${answering}, and keeps it.`;
      return { ok: true as const, model: ref, ...(answering && answering !== ref ? { note } : {}) };
    },
  };
}

/** The model that would answer for an agent; undefined when the one that is configured does not exist. */
async function modelOf({ models }: House, agentId: string): Promise<string | undefined> {
  try {
    const [first] = await models.candidates({ agentId });
    return first && `${first.provider}/${first.id}`;
  } catch (error) {
    if (GatewayError.is(error) && error.code === "MODEL_UNKNOWN") return undefined;
    throw error;
  }
}
