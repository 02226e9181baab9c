// Fakes and contract suites: what an author of a channel, model, tool or store tests against.
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export {
  callTool,
  callTools,
  createScriptedModel,
  finish,
  say,
  type ScriptedModel,
  type ScriptStep,
} from "./scripted-model.ts";
export { createMemoryLedger } from "./memory-ledger.ts";
export { testLedger, type LedgerHarness } from "./ledger-contract.ts";
export {
  plainRequest,
  testModelProvider,
  type ModelContractOptions,
  type ModelHarness,
  type ModelScenario,
} from "./model-contract.ts";
export { createFakeHost, type FakeHost, type FakeHostOptions } from "./fake-host.ts";
export { testChannel, type ChannelHarness, type ChannelPeer } from "./channel-contract.ts";
export {
  createFakeChannel,
  type FakeChannel,
  type FakeChannelOptions,
  type FakeSent,
  type SaidOptions,
} from "./fake-channel.ts";
