// What can be chosen for a session in an editor: how freely its files and terminal are used, the model, and how hard it thinks.
import type { MethodAnswer } from "@chela/sdk/protocol";
import { RPC, RpcFault } from "../wire/rpc-peer.ts";
import type { GatewaySide } from "./gateway-side.ts";

export const MODES = [
  { id: "ask", name: "Ask", description: "Asks before it changes a file or runs a command in the editor" },
  {
    id: "edit",
    name: "Edit",
    description: "Changes files in the editor without asking; asks before it runs a command",
  },
  { id: "read", name: "Read only", description: "Reads in the editor, and changes and runs nothing there" },
] as const;
export type Mode = (typeof MODES)[number]["id"];

const NORMAL = "default";
const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh"] as const;

type Models = MethodAnswer<"models.list">;
type Settings = MethodAnswer<"chat.watch">["settings"];

export function modesOf(mode: Mode): object {
  return { currentModeId: mode, availableModes: MODES };
}

export function readMode(written: string): Mode {
  const mode = MODES.find(({ id }) => id === written);
  if (mode) return mode.id;
  throw new RpcFault(RPC.invalidParams, `"${written}" is no mode; there are ${MODES.map(({ id }) => id).join(", ")}`);
}

/** As an editor lists them. */
export function optionsOf(models: Models, settings: Settings): object[] {
  const listed = models.models.map(({ provider, id, name }) => ({ value: `${provider}/${id}`, name }));
  const chosen = settings.modelOverride;
  const usual = { value: NORMAL, name: "As configured", ...(models.default ? { description: models.default } : {}) };
  const options = [usual, ...listed];
  // Chosen earlier and not to be had now: it is shown all the same.
  if (chosen !== undefined && !options.some(({ value }) => value === chosen)) {
    options.push({ value: chosen, name: chosen });
  }
  return [
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: chosen ?? NORMAL,
      options,
    },
    {
      id: "thinking",
      name: "Thinking",
      category: "thought_level",
      type: "select",
      currentValue: settings.thinkingLevel ?? NORMAL,
      options: [
        { value: NORMAL, name: "As configured" },
        ...LEVELS.map((level) => ({ value: level, name: level === "off" ? "Off" : level })),
      ],
    },
  ];
}

/** The gateway says what is wrong with a model it does not know. */
export async function setOption(
  gateway: GatewaySide,
  sessionKey: string,
  configId: string,
  value: string | boolean,
): Promise<void> {
  const wanted = value === NORMAL ? null : String(value);
  if (configId === "model") await gateway.ask("sessions.patch", { key: sessionKey, model: wanted });
  else if (configId === "thinking") await gateway.ask("sessions.patch", { key: sessionKey, thinkingLevel: wanted });
  else throw new RpcFault(RPC.invalidParams, `"${configId}" cannot be set; there are model and thinking`);
}
