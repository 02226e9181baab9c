// Fakes and contract suites: what an author of a channel, model, tool or store tests against.
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { callTool, createScriptedModel, finish, say, type ScriptedModel, type ScriptStep } from "./scripted-model.ts";
