// The scripted model is a model like any other.
import { createScriptedModel, finish, plainRequest, say, testModelProvider, type ScriptStep } from "./index.ts";
import { noUsage } from "../messages.ts";
import type { ModelEvent } from "../model.ts";
import type { ModelScenario } from "./index.ts";

const call = (id: string, path: string): ModelEvent => ({ kind: "tool-call", id, name: "read", arguments: { path } });
const end = (stopReason: "stop" | "toolUse" | "aborted"): ModelEvent => ({
  kind: "finish",
  stopReason,
  usage: { ...noUsage(), output: 5, totalTokens: 5 },
});
const failure = (reason: "network" | "auth"): ModelEvent => ({
  kind: "failure",
  failure: { reason, message: "as written", retry: "now" },
});

const SCRIPTS: Partial<Record<ModelScenario, readonly ModelEvent[]>> = {
  text: [...say("Hello from the café.").slice(0, 1), end("stop")],
  thinking: [
    { kind: "thinking", delta: "Let me think." },
    { kind: "thinking-end" },
    { kind: "text", delta: "Done." },
    end("stop"),
  ],
  "tool-calls": [call("1", "a.txt"), call("2", "b.txt"), end("toolUse")],
  cut: [{ kind: "text", delta: "Hel" }, failure("network")],
  auth: [failure("auth")],
};

testModelProvider("the scripted model", {
  thinks: true,
  failures: ["auth"],
  open() {
    const provider = createScriptedModel();
    let noteBegun: () => void = () => undefined;
    const hang: ScriptStep = async function* (_request, signal) {
      noteBegun();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield end("aborted");
    };
    return {
      provider,
      play(scenario) {
        const events = SCRIPTS[scenario] ?? [finish()];
        provider.script(scenario === "hang" ? hang : (_, signal) => (signal.aborted ? [end("aborted")] : events));
        return plainRequest();
      },
      begun: () => new Promise((resolve) => (noteBegun = resolve)),
      close: () => undefined,
    };
  },
});
