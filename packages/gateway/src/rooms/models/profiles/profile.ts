// A way to be let in at a provider, as the rest of the room sees it: never with the secret in it.
import type { ModelFailure, ModelInfo, Secret } from "@chela/sdk";
import type { AwsAccess } from "../providers/aws/aws-access.ts";
import type { RestReason } from "./cooldown.ts";
import type { ProfileType } from "./stored-profile.ts";

export interface Profile {
  readonly id: string;
  readonly agentId: string;
  readonly provider: string;
  /** Where it is kept: the agent's file, the configuration, the environment, or nowhere, because none is needed. */
  readonly origin: "file" | "config" | "env" | "none";
}

/** A key that lies in the configuration or the environment, shared by all agents. */
export interface GivenKey {
  readonly origin: "config" | "env";
  readonly key: Secret;
  readonly source: string;
  /** For a key that signs calls instead of being sent with them. */
  readonly aws?: AwsAccess;
}

export type GivenKeys =
  | { readonly kind: "keys"; readonly keys: readonly GivenKey[] }
  /** The provider takes calls without a key, as local servers do. */
  | { readonly kind: "not-needed" }
  | { readonly kind: "missing"; readonly why: string };

/** What a call is sent with. */
export interface Access {
  readonly secret: Secret;
  /** Send it as `Authorization: Bearer`, whatever the API's own header is. */
  readonly bearer: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** Signs the call; the secret is not sent then. */
  readonly aws?: AwsAccess;
  /** Where the secret is good, when that is the server of an enterprise. */
  readonly enterpriseUrl?: string;
  /** Where it is good, when its sign-in named a place; what the configuration says counts more. */
  readonly resourceUrl?: string;
  /** The project that calls are made in. */
  readonly projectId?: string;
}

export type AccessOutcome =
  | { readonly kind: "ready"; readonly access: Access | undefined }
  | { readonly kind: "failed"; readonly failure: ModelFailure };

export interface RestingProfile {
  readonly profile: Profile;
  readonly lastUsed?: number | undefined;
  readonly until: number;
  readonly reason: RestReason;
}

/** What can be tried for a model now, best first. */
export interface Availability {
  readonly ready: readonly Profile[];
  /** Failed again and again a moment ago; worth a try only when nothing else is left. */
  readonly shaky: readonly Profile[];
  readonly resting: readonly RestingProfile[];
  /** Why there is none at all. */
  readonly missing?: string;
}

/** What a call needs to know and to tell about credentials. */
export interface ProfileSource {
  look(agentId: string, model: ModelInfo, pinned?: string): Availability;
  begin(profile: Profile, model: ModelInfo): void;
  succeed(profile: Profile, model: ModelInfo): void;
  fail(profile: Profile, model: ModelInfo, failure: ModelFailure): void;
  /** The call was stopped before it told anything about the credential. */
  release(profile: Profile, model: ModelInfo): void;
}

export type ProfileState =
  | { readonly kind: "ok" }
  | { readonly kind: "cooling"; readonly until: number; readonly reason: string }
  | { readonly kind: "disabled"; readonly until: number; readonly reason: string }
  | { readonly kind: "expired"; readonly at: number }
  /** The file refers to a secret that is not there. */
  | { readonly kind: "empty" };

/** One line of a list of profiles, free of secrets. */
export interface ProfileView {
  readonly id: string;
  readonly provider: string;
  readonly type: ProfileType;
  readonly origin: "file" | "config" | "env";
  readonly label?: string;
  readonly state: ProfileState;
  readonly lastUsed?: number;
}

/** A credential to keep, in the form of the file. */
export type NewProfile =
  | { readonly type: "api_key"; readonly provider: string; readonly key: Secret; readonly email?: string }
  | {
      readonly type: "token";
      readonly provider: string;
      readonly token: Secret;
      readonly expires?: number;
      readonly enterpriseUrl?: string;
    }
  | {
      readonly type: "oauth";
      readonly provider: string;
      readonly access: Secret;
      readonly refresh: Secret;
      readonly expires: number;
      readonly accountId?: string;
      readonly projectId?: string;
      readonly resourceUrl?: string;
      readonly enterpriseUrl?: string;
      readonly email?: string;
    };
