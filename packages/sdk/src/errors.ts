// One catalogue of failures: who is to blame, whether to retry, what to tell the user and how to fix it.

export type Blame = "user" | "operator" | "provider" | "plugin" | "bug";
export type Retry = "never" | "now" | "later";

interface ErrorRow {
  readonly blame: Blame;
  readonly retry: Retry;
  /** One sentence for the person who sees it. `{detail}` is replaced. */
  readonly says: string;
  readonly fix: string;
}

export const ERRORS = {
  CONFIG_UNREADABLE: {
    blame: "operator",
    retry: "never",
    says: "The configuration file cannot be read: {detail}",
    fix: "Check that the file exists and that this user may read it.",
  },
  CONFIG_SYNTAX: {
    blame: "operator",
    retry: "never",
    says: "The configuration file is not valid JSON5: {detail}",
    fix: "Correct the line named above, or restore a backup: the five last versions lie beside it as .bak, .bak.1 … .bak.4.",
  },
  CONFIG_INVALID: {
    blame: "operator",
    retry: "never",
    says: "The configuration has values that are not allowed: {detail}",
    fix: "Run `chela config validate` to see every place, and `chela config schema` for what is allowed.",
  },
  CONFIG_INCLUDE: {
    blame: "operator",
    retry: "never",
    says: "An $include in the configuration cannot be followed: {detail}",
    fix: "Included files must lie inside the configuration directory, must not include each other in a circle, and nest at most 10 deep.",
  },
  CONFIG_ENV: {
    blame: "operator",
    retry: "never",
    says: "The configuration refers to an environment variable that is not set: {detail}",
    fix: "Set the variable (the file .env in the state directory is read), or write $${NAME} for the literal text.",
  },
  CONFIG_CHANGED: {
    blame: "user",
    retry: "now",
    says: "The configuration changed since it was read: {detail}",
    fix: "Read it again and repeat the change.",
  },
  CONFIG_WRITE: {
    blame: "operator",
    retry: "later",
    says: "The configuration could not be written; the file is as it was: {detail}",
    fix: "Check free space and permissions of the configuration directory.",
  },
  START_LOCKED: {
    blame: "operator",
    retry: "never",
    says: "Another gateway already uses this state directory: {detail}",
    fix: "Stop it with `chela gateway stop`, or give this one its own OPENCLAW_STATE_DIR.",
  },
  START_PORT: {
    blame: "operator",
    retry: "never",
    says: "The port cannot be opened: {detail}",
    fix: "Choose another with `--port`, or stop the program that uses it.",
  },
  START_CLI_PORT: {
    blame: "operator",
    retry: "never",
    says: "The listener for scripts (OPENCLAW_CLI_SECRET) cannot be opened: {detail}",
    fix: "Set OPENCLAW_CLI_PORT to a free port between 1 and 65535; without OPENCLAW_CLI_SECRET there is no such listener.",
  },
  START_OPEN_BIND: {
    blame: "operator",
    retry: "never",
    says: "Refusing to listen beyond this machine without a credential: {detail}",
    fix: "Run `chela config set gateway.auth.mode token`, or set gateway.bind to loopback.",
  },
  START_FUNNEL: {
    blame: "operator",
    retry: "never",
    says: "Refusing to be open to the whole internet without a password: {detail}",
    fix: "Run `chela config set gateway.auth.password <a long one>` and `chela config set gateway.auth.mode password`, or `chela config set gateway.tailscale.mode serve` for your own devices only.",
  },
  START_STATE: {
    blame: "operator",
    retry: "never",
    says: "The state directory cannot be used: {detail}",
    fix: "Make it writable for this user, or set OPENCLAW_STATE_DIR to one that is.",
  },
  STORE_FULL: {
    blame: "operator",
    retry: "later",
    says: "The disk is full, so nothing new can be accepted: {detail}",
    fix: "Free some space. What was accepted before is safe; the gateway goes on by itself once there is room.",
  },
  STORE_READONLY: {
    blame: "operator",
    retry: "later",
    says: "The ledger cannot be written: {detail}",
    fix: "Make the state directory writable. What was accepted before is safe.",
  },
  AUDIT_WRITE: {
    blame: "operator",
    retry: "later",
    says: "It was done, but it could not be written into the audit trail yet: {detail}",
    fix: "Check the disk of the state directory. It is written as soon as that works again; the gateway must keep running until then.",
  },
  STORE_CORRUPT: {
    blame: "operator",
    retry: "never",
    says: "The ledger is damaged: {detail}",
    fix: "At the next start it is set aside and rebuilt from what can still be read, in it and in the transcript files.",
  },
  STORE_ROW: {
    blame: "operator",
    retry: "never",
    says: "A stored row is not what was written: {detail}",
    fix: "It is left out of lists and stays where it is; everything else works. Run `chela doctor`: it names each such row and says what can be done.",
  },
  STORE_CONFLICT: {
    blame: "bug",
    retry: "now",
    says: "Two entries of a transcript have the same id: {detail}",
    fix: "Nothing was written; the step is repeated with a new id.",
  },
  STORE_FAILED: {
    blame: "bug",
    retry: "later",
    says: "The ledger refused a write: {detail}",
    fix: "Run `chela doctor`. What was accepted before is safe.",
  },
  STORE_NEWER: {
    blame: "operator",
    retry: "never",
    says: "The ledger was written by a newer version: {detail}",
    fix: "Update Chela, or restore the snapshot that lies beside the ledger from before the update.",
  },
  IMPORT_FAILED: {
    blame: "operator",
    retry: "never",
    says: "A file could not be imported: {detail}",
    fix: "The file was left as it is. Correct it and run `chela import`.",
  },
  MODEL_UNKNOWN: {
    blame: "operator",
    retry: "never",
    says: "There is no model of that name: {detail}",
    fix: "`chela models list` shows what is available.",
  },
  MODEL_AUTH: {
    blame: "operator",
    retry: "never",
    says: "The model provider refused the credential: {detail}",
    fix: "Enter a key that works: on the control page, or with `chela models auth add`.",
  },
  MODEL_BILLING: {
    blame: "operator",
    retry: "never",
    says: "The account at the model provider has no credit left: {detail}",
    fix: "Add credit to the account, or choose another model with /model.",
  },
  MODEL_RATE: {
    blame: "provider",
    retry: "later",
    says: "The model provider asks for a pause: {detail}",
    fix: "Wait a little, or choose another model with /model.",
  },
  MODEL_OVERLOADED: {
    blame: "provider",
    retry: "later",
    says: "The model provider is overloaded: {detail}",
    fix: "Send the message again in a moment, or choose another model with /model.",
  },
  MODEL_SERVER: {
    blame: "provider",
    retry: "later",
    says: "Something went wrong at the model provider: {detail}",
    fix: "Send the message again. If it stays so, look at the provider's status page, or choose another model with /model.",
  },
  MODEL_ENDLESS: {
    blame: "provider",
    retry: "never",
    says: "The model did not come to an end: {detail}",
    fix: "Ask for less at once, or choose another model with /model.",
  },
  MODEL_OVERFLOW: {
    blame: "user",
    retry: "never",
    says: "The conversation no longer fits into the model's context window: {detail}",
    fix: "Start a new conversation with /new.",
  },
  MODEL_REFUSED: {
    blame: "provider",
    retry: "never",
    says: "The model declined to answer: {detail}",
    fix: "Rephrase the message.",
  },
  MODEL_REQUEST: {
    blame: "provider",
    retry: "never",
    says: "The model provider rejected the request: {detail}",
    fix: "Check the model's name and settings under models.providers.",
  },
  MODEL_NETWORK: {
    blame: "provider",
    retry: "later",
    says: "The model provider cannot be reached: {detail}",
    fix: "Check the network and the provider's baseUrl, then send the message again.",
  },
  MODEL_TIMEOUT: {
    blame: "provider",
    retry: "later",
    says: "The model did not answer in time: {detail}",
    fix: "Send the message again, or raise agents.defaults.timeoutSeconds.",
  },
  MODEL_MALFORMED: {
    blame: "provider",
    retry: "now",
    says: "The model provider sent something that cannot be understood: {detail}",
    fix: "Send the message again. If it stays so, check that models.providers.<name>.api fits the server.",
  },
  MODEL_BUDGET: {
    blame: "user",
    retry: "never",
    says: "The spending limit is reached: {detail}",
    fix: "Raise it under `budgets` in the configuration, or wait until the next period begins.",
  },
  PROFILE_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: "There is no auth profile of that name: {detail}",
    fix: "Choose one of those named above.",
  },
  PROFILE_STORE: {
    blame: "operator",
    retry: "later",
    says: "The file of auth profiles cannot be changed: {detail}",
    fix: "Check free space and permissions of the agent's directory, then try again.",
  },
  PROVIDER_SETUP: {
    blame: "user",
    retry: "never",
    says: "The model cannot be set up like this: {detail}",
    fix: "Correct what is named above and try again.",
  },
  TURN_LIMIT: {
    blame: "provider",
    retry: "never",
    says: "The turn was stopped because it kept calling tools: {detail}",
    fix: "Ask again in smaller steps.",
  },
  TURN_FAILED: {
    blame: "bug",
    retry: "never",
    says: "The turn failed: {detail}",
    fix: "See `chela logs` for what happened.",
  },
  SESSION_RESTORE: {
    blame: "user",
    retry: "never",
    says: "The session cannot be restored: {detail}",
    fix: "Run `chela sessions list --deleted` to see what can be restored.",
  },
  SEARCH_UNAVAILABLE: {
    blame: "operator",
    retry: "later",
    says: "The search index cannot be used: {detail}",
    fix: "Check that the state directory can be written and has room. Nothing is lost: the index is made from the ledger.",
  },
  MEMORY_UNAVAILABLE: {
    blame: "operator",
    retry: "later",
    says: "Memory cannot be used: {detail}",
    fix: "Run `chela memory status`: it says what is wrong. Nothing is lost: the index is made from notes and the ledger.",
  },
  MEMORY_EMBEDDING: {
    blame: "operator",
    retry: "later",
    says: "Texts could not be turned into vectors: {detail}",
    fix: "Notes are found by their words meanwhile. Run `chela memory status`: it says who makes vectors and what is wrong.",
  },
  MEMORY_NOTE: {
    blame: "user",
    retry: "never",
    says: "The note cannot be used: {detail}",
    fix: "Notes are MEMORY.md, Markdown files in the folder memory, and what memorySearch.extraPaths names.",
  },
  SESSION_TREE: {
    blame: "user",
    retry: "never",
    says: "That point of the conversation cannot be used: {detail}",
    fix: "Look at the branches and checkpoints with /fork, then name one of them, an entry id, or a number of messages.",
  },
  CHANNEL_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: "There is no such channel: {detail}",
    fix: "Run `chela channels list` to see which there are.",
  },
  CHANNEL_SETTINGS: {
    blame: "operator",
    retry: "never",
    says: "A channel is not set up: {detail}",
    fix: "Run `chela channels status` to see what is missing, and `chela channels add` to set it up.",
  },
  CHANNEL_OFFLINE: {
    blame: "provider",
    retry: "later",
    says: "The channel is not connected at the moment: {detail}",
    fix: "It is tried again by itself. Run `chela channels status` to see why it is not connected.",
  },
  CHANNEL_AUTH: {
    blame: "operator",
    retry: "never",
    says: "The platform does not accept the credentials of this account: {detail}",
    fix: "Put a new token into the configuration, or run `chela channels login`.",
  },
  CHANNEL_UNSUPPORTED: {
    blame: "user",
    retry: "never",
    says: "This channel cannot do that: {detail}",
    fix: "Run `chela channels capabilities` to see what each channel can do.",
  },
  CHANNEL_TARGET: {
    blame: "user",
    retry: "never",
    says: "This is no address one can send to: {detail}",
    fix: "Run `chela directory peers list` or `chela directory groups list` to find addresses.",
  },
  CHANNEL_REFUSED: {
    blame: "provider",
    retry: "never",
    says: "The platform refused: {detail}",
    fix: "Check what the account is allowed to do there.",
  },
  CHANNEL_PACKAGE: {
    blame: "operator",
    retry: "never",
    says: "A package this channel needs is not installed: {detail}",
    fix: "Install it beside chela with npm, and start the gateway again.",
  },
  MESSAGE_REQUEST: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "Name the channel and the target, and say what is to be sent. `chela message --help` shows how.",
  },
  MESSAGE_REACH: {
    blame: "user",
    retry: "never",
    says: "This chat is out of reach: {detail}",
    fix: "Ask an owner, or change tools.message.crossContext or session.sendPolicy in the configuration.",
  },
  ACCESS_STORE: {
    blame: "operator",
    retry: "later",
    says: "The files of who may write to the bot cannot be changed: {detail}",
    fix: "Check free space and permissions of the directory `credentials` in the state directory, then try again.",
  },
  MEDIA_REFUSED: {
    blame: "user",
    retry: "never",
    says: "A file cannot be taken or sent: {detail}",
    fix: "Use a smaller file, or one of a kind the channel takes.",
  },
  MEDIA_FETCH: {
    blame: "provider",
    retry: "later",
    says: "A file did not arrive: {detail}",
    fix: "Send it again, or try again later.",
  },
  MEDIA_GONE: {
    blame: "user",
    retry: "never",
    says: "A file cannot be shown: {detail}",
    fix: "Files of conversations are kept for some days. Send it again, or ask the agent for it again.",
  },
  MEDIA_STORE: {
    blame: "operator",
    retry: "later",
    says: "A file cannot be kept: {detail}",
    fix: "Check free space and permissions of `media` and `credentials` in the state directory.",
  },
  TOOL_UNKNOWN: {
    blame: "provider",
    retry: "never",
    says: "There is no tool of that name: {detail}",
    fix: "The model was told which tools exist.",
  },
  TOOL_ARGUMENTS: {
    blame: "provider",
    retry: "now",
    says: "The tool was called with wrong arguments: {detail}",
    fix: "The model was told what is allowed.",
  },
  TOOL_DENIED: {
    blame: "operator",
    retry: "never",
    says: "This tool may not be used here: {detail}",
    fix: "Change the tool policy: tools.allow, tools.deny, tools.profile, and the same under agents.list.",
  },
  TOOL_GATEWAY: {
    blame: "user",
    retry: "never",
    says: "The gateway does not do this from a conversation: {detail}",
    fix: "Do it on the gateway's machine, with `chela config set` and the other commands.",
  },
  TOOL_LOOP: {
    blame: "provider",
    retry: "never",
    says: "The model goes in circles: {detail}",
    fix: "Ask again in other words. tools.loopDetection sets how patient the gateway is.",
  },
  TOOL_STOPPED: {
    blame: "user",
    retry: "never",
    says: "The turn was stopped: {detail}",
    fix: "Send the message again to go on.",
  },
  TOOL_DUPLICATE: {
    blame: "plugin",
    retry: "never",
    says: "Two tools have the same name: {detail}",
    fix: "Remove or switch off one of the plugins that bring it.",
  },
  TOOL_PATH: {
    blame: "provider",
    retry: "never",
    says: "{detail}",
    fix: "The model was told which paths it may use; tools.fs.workspaceOnly decides that.",
  },
  TOOL_FILE: {
    blame: "provider",
    retry: "never",
    says: "{detail}",
    fix: "The model was told what is wrong with the file and what it can do instead.",
  },
  TOOL_EDIT: {
    blame: "provider",
    retry: "now",
    says: "{detail}",
    fix: "The model was told where its text and the file differ. Nothing was changed.",
  },
  TOOL_DISK: {
    blame: "operator",
    retry: "later",
    says: "{detail}",
    fix: "The file is as it was. Check free space and permissions of the workspace.",
  },
  PROTOCOL_REQUEST: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "See docs/reference/protocol for the method's parameters.",
  },
  PROTOCOL_NOT_PAIRED: {
    blame: "user",
    retry: "later",
    says: "{detail}",
    fix: "Approve the device with `chela devices approve`.",
  },
  PROTOCOL_UNAVAILABLE: {
    blame: "operator",
    retry: "later",
    says: "{detail}",
    fix: "Try again; `chela logs` tells more.",
  },
  NODE_REFUSED: {
    blame: "user",
    retry: "never",
    says: "The node was not asked: {detail}",
    fix: "`chela nodes list` shows what there is, `chela nodes describe --node <id>` what one offers.",
  },
  APPROVALS_FILE: {
    blame: "operator",
    retry: "never",
    says: "The file of exec approvals cannot be used, so no command is run: {detail}",
    fix: "Correct the file, or move it away to begin with an empty list.",
  },
  EXEC_ENVIRONMENT: {
    blame: "provider",
    retry: "now",
    says: "A command must not set these environment variables: {detail}. Names are letters, digits and _, and names that change what programs load or run are refused",
    fix: "The model was told; it can leave them out and call again.",
  },
  EXEC_DIRECTORY: {
    blame: "provider",
    retry: "now",
    says: "The command cannot run there: {detail}. Name a directory that exists; relative ones start at the workspace",
    fix: "The model was told; it can choose another directory.",
  },
  EXEC_UNAVAILABLE: {
    blame: "operator",
    retry: "never",
    says: "{detail}",
    fix: "Look at the section tools.exec of the configuration.",
  },
  SANDBOX_FAILED: {
    blame: "operator",
    retry: "later",
    says: "The sandbox could not be set up, so the command was not run: {detail}",
    fix: "Run `chela sandbox status` to see what is missing. Nothing was run outside of the sandbox instead.",
  },
  PROCESS_REQUEST: {
    blame: "provider",
    retry: "now",
    says: "{detail}",
    fix: "The model was told what is allowed.",
  },
  WORKSPACE_FILE: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "Files of a workspace are AGENTS.md, SOUL.md, TOOLS.md, IDENTITY.md, USER.md, HEARTBEAT.md, BOOTSTRAP.md and MEMORY.md: text, at most 2 MB.",
  },
  WORKSPACE_DISK: {
    blame: "operator",
    retry: "later",
    says: "The workspace cannot be written: {detail}",
    fix: "Check that it is a directory this user may write to and that the disk has room. What was in it is untouched.",
  },
  FETCH_REFUSED: {
    blame: "user",
    retry: "never",
    says: "This address may not be fetched: {detail}",
    fix: "Only addresses of the open internet are fetched, so that nobody can reach this machine or its network from outside.",
  },
  FETCH_FAILED: {
    blame: "provider",
    retry: "later",
    says: "The address could not be fetched: {detail}",
    fix: "Check the address, or try again later.",
  },
  FETCH_TIMEOUT: {
    blame: "provider",
    retry: "later",
    says: "The fetch took too long: {detail}",
    fix: "Try again later, or raise the timeoutSeconds of the tool under tools.web.",
  },
  FETCH_TOO_LARGE: {
    blame: "provider",
    retry: "never",
    says: "The answer is too large: {detail}",
    fix: "Fetch something smaller, such as a part or another form of it.",
  },
  FETCH_KIND: {
    blame: "provider",
    retry: "never",
    says: "{detail}",
    fix: "The model was told which tool fits better, if there is one.",
  },
  SEARCH_KEY: {
    blame: "operator",
    retry: "never",
    says: "The web cannot be searched: {detail}",
    fix: "Set the key of a search provider under tools.web.search or in the environment, or the address of a SearXNG server.",
  },
  SEARCH_FAILED: {
    blame: "provider",
    retry: "later",
    says: "The search failed: {detail}",
    fix: "Try again later, or choose another provider with tools.web.search.provider.",
  },
  IMAGE_INPUT: {
    blame: "provider",
    retry: "now",
    says: "{detail}",
    fix: "The model was told which pictures can be looked at.",
  },
  AGENT_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: 'unknown agent id "{detail}"',
    fix: "`chela agents list` shows which agents there are.",
  },
  AGENT_REQUEST: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "`chela agents list` shows which agents there are and where they live.",
  },
  AGENT_BUSY: {
    blame: "user",
    retry: "later",
    says: "The agent is at work: {detail}",
    fix: "Wait until it has answered, or stop it with `/stop`, and try again.",
  },
  ERRAND_KIND: {
    blame: "operator",
    retry: "later",
    says: 'Nothing in this gateway carries out work of the kind "{detail}"',
    fix: "Start the version, or switch on the plugin, that gave it: the work is kept until then.",
  },
  SKILL_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: 'There is no skill named "{detail}"',
    fix: "`chela skills list` shows which skills there are.",
  },
  SKILL_REQUEST: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "`chela skills info <name>` shows what a skill needs, and where it lies.",
  },
  HOOK_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: 'There is no hook named "{detail}"',
    fix: "`chela hooks list` shows which hooks there are.",
  },
  HOOK_REQUEST: {
    blame: "user",
    retry: "never",
    says: "{detail}",
    fix: "`chela hooks info` says what the hook needs.",
  },
  HOOK_VETO: {
    blame: "operator",
    retry: "later",
    says: "A hook refused it: {detail}",
    fix: "`chela hooks list` shows the hooks that run; `chela hooks disable` switches one off.",
  },
  CRON_SCHEDULE: {
    blame: "user",
    retry: "never",
    says: "This schedule cannot be used: {detail}",
    fix: "Write an instant (tomorrow 9:00), an interval (every 15m), or a cron expression (30 7 * * 1-5) with an optional time zone.",
  },
  CRON_JOB: {
    blame: "user",
    retry: "never",
    says: "This job cannot be kept like that: {detail}",
    fix: "Correct what is named above; nothing was changed.",
  },
  CRON_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: 'There is no job "{detail}"',
    fix: "`chela cron list --all` shows which jobs there are.",
  },
  WEBHOOK_REQUEST: {
    blame: "user",
    retry: "never",
    says: "This webhook cannot be tried: {detail}",
    fix: "`chela webhooks list` shows which there are, and what each of them lacks.",
  },
  CREDENTIAL_UNKNOWN: {
    blame: "user",
    retry: "never",
    says: 'There is no credential "{detail}"',
    fix: "`chela credential list` shows which there are.",
  },
  CREDENTIAL_UNREADABLE: {
    blame: "operator",
    retry: "later",
    says: "A credential cannot be read: {detail}",
    fix: "Nothing was lost or changed. `chela credential list` shows the state of all of them.",
  },
  CREDENTIAL_REFUSED: {
    blame: "user",
    retry: "never",
    says: "This credential cannot be used like that: {detail}",
    fix: "Correct what is named above; nothing was changed.",
  },
  CREDENTIAL_STORE: {
    blame: "operator",
    retry: "later",
    says: "The vault could not be read or written: {detail}",
    fix: "Check free space and permissions of the directory credentials in the state directory.",
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

const BRAND = Symbol.for("chela.gateway-error");

/** The one error class of the product. What a person reads comes from the catalogue, never from a library's message. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;

  constructor(code: ErrorCode, detail: string, options?: { cause?: unknown }) {
    super(
      ERRORS[code].says.replace("{detail}", () => detail),
      options,
    );
    this.name = "GatewayError";
    this.code = code;
    this.detail = detail;
    Object.defineProperty(this, BRAND, { value: true });
  }

  get row(): ErrorRow {
    return ERRORS[this.code];
  }

  /** What happened and what to do about it, as sentences for a person. */
  explain(): string {
    const stop = /[.!?…]$/.test(this.message) ? "" : ".";
    return `${this.message}${stop} ${this.row.fix}`;
  }

  /** Works across copies of this package, as plugins bring them. */
  static is(value: unknown): value is GatewayError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

/** Whether nothing can be kept or read at all right now, unlike with a single row that is damaged. */
export function isStoreFailing({ code }: GatewayError): boolean {
  return code.startsWith("STORE_") && code !== "STORE_ROW";
}

/** What the language throws when a program is wrong. What they say is about the inside of it, and for its log alone. */
const BUGS: ReadonlySet<string> = new Set(
  "TypeError RangeError ReferenceError SyntaxError EvalError URIError AssertionError AggregateError ZodError".split(
    " ",
  ),
);

/** Whether this is a mistake of the program, whose text nobody outside is told. */
export function isBug(thrown: unknown): boolean {
  return (
    thrown instanceof Error && !GatewayError.is(thrown) && (BUGS.has(thrown.name) || BUGS.has(thrown.constructor.name))
  );
}

/** What stands for the text of such a mistake wherever somebody reads it. */
export const UNFORESEEN = "something happened inside that nobody foresaw; the log of the gateway tells what";

/** Turns whatever was thrown into a GatewayError, keeping the cause; its stack, which is for logs, is the one of the cause. */
export function toGatewayError(thrown: unknown, fallback: ErrorCode): GatewayError {
  if (GatewayError.is(thrown)) return thrown;
  if (!(thrown instanceof Error)) return new GatewayError(fallback, String(thrown), { cause: thrown });
  const error = new GatewayError(fallback, isBug(thrown) ? UNFORESEEN : thrown.message, { cause: thrown });
  if (thrown.stack !== undefined) error.stack = `${error.name}: ${error.code}: ${thrown.stack}`;
  return error;
}
