// The channels room owns the connections to messaging platforms: which accounts there are, and that they stay connected.
export type { AccountStatus } from "./account-runner.ts";
export { accountSettings, accountsOf, configuredChannels, DEFAULT_ACCOUNT, type ChannelsView } from "./accounts.ts";
export { accountsWith, envFor } from "./accounts-with.ts";
export { Channels, entryOf } from "./channels.ts";
export { allChannels } from "./index.ts";
