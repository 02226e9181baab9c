// Explains to a person why a model cannot be used yet: what happened, and what to do.
import type { ModelFailure, ModelFailureReason } from "@chela/sdk";
import { keyPageOf } from "./provider-choices.ts";

export interface SetupProblem {
  readonly code: ModelFailureReason | "no-key" | "no-model" | "address";
  readonly message: string;
  readonly fix: string;
  /** In the provider's own words, without secrets. */
  readonly detail?: string;
}

export interface ProblemPlace {
  readonly provider: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly isLocal: boolean;
}

type Sentences = (place: ProblemPlace) => readonly [message: string, fix: string];

const WRONG_KEY: Sentences = ({ label, provider }) => [
  `${label} does not accept the key.`,
  `Look whether the whole key was copied, without spaces; or make a new one${keyPlace(provider)}.`,
];
const UNREACHABLE: Sentences = ({ label, baseUrl, isLocal }) => [
  `Nothing answers at ${baseUrl}.`,
  isLocal
    ? `Start ${label} on this machine and load a model, then try again.`
    : "Look whether the address is right and whether this machine is connected to the internet.",
];
const TRY_LATER: Sentences = ({ label }) => [
  `${label} cannot answer at the moment.`,
  "Wait a minute and try again; nothing is wrong with what you entered.",
];
const NOT_UNDERSTOOD: Sentences = ({ baseUrl }) => [
  `What answers at ${baseUrl} is not understood.`,
  "Look whether the address is that of the API; for most servers it ends in /v1.",
];

const SENTENCES: Readonly<Record<SetupProblem["code"], Sentences>> = {
  "no-key": ({ label, provider }) => [`${label} needs a key.`, `Make one${keyPlace(provider)} and enter it here.`],
  "no-model": ({ label }) => [
    `${label} does not say which models it has.`,
    "Enter the name of the model that shall answer.",
  ],
  address: ({ baseUrl }) => [`"${baseUrl}" cannot be used as an address.`, "Write it as https://…"],
  auth: WRONG_KEY,
  billing: ({ label }) => [
    `The key is right, but the account at ${label} has no credit left.`,
    "Add credit or a way to pay there, then try again.",
  ],
  "rate-limit": ({ label }) => [
    `The key is right, but ${label} wants fewer calls at the moment.`,
    "Wait a minute and try again. If it stays so, the account may need credit.",
  ],
  overloaded: TRY_LATER,
  "server-error": TRY_LATER,
  "not-found": ({ label }) => [
    `${label} does not have this model, or this key may not use it.`,
    "Choose another model.",
  ],
  network: UNREACHABLE,
  timeout: ({ label, isLocal }) => [
    `${label} did not answer in time.`,
    isLocal ? "A large model takes a while to load: try again in a minute, or take a smaller one." : "Try again.",
  ],
  malformed: NOT_UNDERSTOOD,
  endless: ({ label }) => [`The model at ${label} does not come to an end.`, "Choose another model."],
  "bad-request": ({ label }) => [`${label} refused the call.`, "Choose another model; what it said is in the detail."],
  refused: ({ label }) => [`${label} refused to answer.`, "Choose another model."],
  "context-overflow": ({ label }) => [
    `The model at ${label} can read too little at once.`,
    "Choose a model with a larger context, or load this one with more.",
  ],
  budget: () => ["A spending limit of this gateway is reached.", "Raise the limit under budgets in the configuration."],
  unknown: NOT_UNDERSTOOD,
};

export function explainProblem(code: SetupProblem["code"], place: ProblemPlace, detail?: string): SetupProblem {
  const [message, fix] = SENTENCES[code](place);
  return { code, message, fix, ...(detail ? { detail } : {}) };
}

export function explainFailure({ reason, message }: ModelFailure, place: ProblemPlace): SetupProblem {
  return explainProblem(reason, place, message);
}

function keyPlace(provider: string): string {
  const page = keyPageOf(provider);
  return page ? ` at ${page}` : " where your account is";
}
