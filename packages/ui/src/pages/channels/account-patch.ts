// Patch for a channel's block of the configuration to add, switch or remove one account, and no other.

export type Block = Readonly<Record<string, unknown>>;

/** The account whose settings may stand at the top of the block. */
export const DEFAULT_ACCOUNT = "default";

export function isBlock(value: unknown): value is Block {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A channel's block as it is written. */
export function blockOf(config: unknown, channel: string): Block {
  const channels = isBlock(config) ? config["channels"] : undefined;
  const block = isBlock(channels) ? channels[channel] : undefined;
  return isBlock(block) ? block : {};
}

/** What an account is set to, in its own place or at the top; a dot leads into a block. */
export function writtenSetting(block: Block, account: string, name: string): string | undefined {
  const { accounts } = block;
  const own = isBlock(accounts) ? accounts[account] : undefined;
  const [value] = [own, block].map((place) => name.split(".").reduce(into, place)).filter((one) => one !== undefined);
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

function into(place: unknown, key: string): unknown {
  return isBlock(place) && Object.hasOwn(place, key) ? place[key] : undefined;
}

/** Settings of the default account stand at the top, unless it has a place of its own below. */
export function settingsPatch(block: Block, accounts: readonly string[], account: string, settings: Block): Block {
  const wanted = { enabled: true, ...settings };
  if (account === DEFAULT_ACCOUNT && !hasPlace(block, account)) return wanted;
  // Beside another account one without credentials of its own would be taken for shared settings.
  const first =
    accounts.includes(DEFAULT_ACCOUNT) && !hasPlace(block, DEFAULT_ACCOUNT) ? { [DEFAULT_ACCOUNT]: {} } : {};
  return { ...wake(block), accounts: { ...first, ...asleep(block, accounts, account), [account]: wanted } };
}

export function switchPatch(block: Block, accounts: readonly string[], account: string, isOn: boolean): Block {
  const isAlone = accounts.every((one) => one === account);
  if (isAlone && !hasPlace(block, account)) return { enabled: isOn };
  if (!isOn) return { accounts: { [account]: { enabled: false } } };
  return {
    ...wake(block),
    accounts: { ...asleep(block, accounts, account), [account]: { enabled: true } },
  };
}

/** Null takes the whole channel out; undefined when it cannot be told apart from what the others share. */
export function removalPatch(block: Block, accounts: readonly string[], account: string): Block | null | undefined {
  if (accounts.every((one) => one === account)) return null;
  return account === DEFAULT_ACCOUNT || !hasPlace(block, account) ? undefined : { accounts: { [account]: null } };
}

function hasPlace({ accounts }: Block, account: string): boolean {
  return isBlock(accounts) && Object.hasOwn(accounts, account);
}

function isOff(block: Block): boolean {
  return block["enabled"] === false;
}

function wake(block: Block): Block {
  return isOff(block) ? { enabled: true } : {};
}

/** A block that is off holds all of them; whoever wakes one leaves the others asleep. */
function asleep(block: Block, accounts: readonly string[], account: string): Block {
  if (!isOff(block)) return {};
  return Object.fromEntries(accounts.filter((one) => one !== account).map((one) => [one, { enabled: false }]));
}
