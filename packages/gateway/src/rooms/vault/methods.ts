// Methods about credentials. What comes in may hold a value; what goes out never does.
import { GatewayError, Secret } from "@chela/sdk";
import {
  type CREDENTIAL_METHODS,
  type MethodParams,
  type MethodResult,
  actorOf,
  invalid,
  type CallContext,
  type Handlers,
} from "@chela/sdk/protocol";
import type { NewCredential } from "./room.ts";
import type { House } from "../../house/house.ts";

type CredentialMethods = Pick<Handlers, keyof typeof CREDENTIAL_METHODS>;

type CredentialParts = Pick<House, "credentials" | "log" | "audit">;

type StoredCredentials = Awaited<ReturnType<House["credentials"]>>;
type CredentialFacts = Parameters<House["audit"]["noteCredential"]>[0];
type ListedCredential = Awaited<ReturnType<StoredCredentials["add"]>>;
type Verified = Awaited<ReturnType<StoredCredentials["verify"]>>;

export function credentialMethods({ credentials, log, audit }: CredentialParts): CredentialMethods {
  /** Committed before whoever asked is told that it was done. */
  const note = ({ client }: CallContext, facts: Omit<CredentialFacts, "actor">): void =>
    audit.noteCredential({ ...facts, actor: actorOf(client) });
  const ask = async <T>(work: (stored: StoredCredentials) => T | Promise<T>): Promise<T> => {
    try {
      return await work(await credentials());
    } catch (error) {
      if (GatewayError.is(error) && error.row.blame === "user") throw invalid(error.explain());
      throw error;
    }
  };
  return {
    "credentials.list": () => ask((stored) => listForWire(stored)),
    "credentials.add"(params, call) {
      if (params.value !== undefined) log.addSecret(params.value);
      return ask(async (stored) => {
        const added = await stored.add(readCredential(params), { replace: params.replace ?? false });
        note(call, addedFacts(added, params.replace));
        return { credential: toWire(added) };
      });
    },
    "credentials.remove": ({ id, force }, call) =>
      ask(async (stored) => {
        await stored.remove(id, { force: force ?? false });
        note(call, { step: "removed", target: id });
        return { id };
      }),
    "credentials.verify": ({ id }, call) =>
      ask(async (stored) => {
        const verified = await stored.verify(id);
        note(call, verifiedFacts(verified));
        return verified;
      }),
    "credentials.rotate": ({ key }, call) =>
      ask(async (stored) => {
        const rotated = await stored.rotate(key);
        note(call, { step: "key rotated", target: "vault" });
        return rotated;
      }),
    "credentials.import": (_, call) =>
      ask(async (stored) => {
        const moved = [...(await stored.import())];
        note(call, { step: "imported", target: "vault", detail: { count: moved.length } });
        return { moved };
      }),
  };
}

function addedFacts({ id, service }: ListedCredential, replaced = false): Omit<CredentialFacts, "actor"> {
  return { step: "added", target: id, detail: { service, replaced } };
}

function verifiedFacts({ id, status }: Verified): Omit<CredentialFacts, "actor"> {
  return { step: "verified", target: id, detail: { status }, isOk: status !== "failed" };
}

function readCredential(params: MethodParams<"credentials.add">): NewCredential {
  const { id, service, account, capabilities, origin } = params;
  const contents = contentsOf(params);
  const [content] = contents;
  if (!content || contents.length > 1) throw invalid("give exactly one of value, env, file, exec and keyring");
  return { id, service, account, capabilities, origin, content };
}

function contentsOf({ value, env, file, exec, keyring }: MethodParams<"credentials.add">): NewCredential["content"][] {
  const [command = "", ...args] = exec ?? [];
  return [
    ...(value === undefined ? [] : [{ kind: "value" as const, value: new Secret(value) }]),
    ...(env === undefined ? [] : [{ kind: "env" as const, name: env }]),
    ...(file === undefined ? [] : [{ kind: "file" as const, path: file }]),
    ...(exec === undefined ? [] : [{ kind: "exec" as const, command, args }]),
    ...(keyring === undefined ? [] : [{ kind: "keyring" as const, ...keyring }]),
  ];
}

async function listForWire(stored: StoredCredentials): Promise<MethodResult<"credentials.list">> {
  const { credentials, plain, key } = stored.list();
  return {
    credentials: credentials.map(toWire),
    plain: plain.map((one) => ({ ...one })),
    missing: (await stored.needs()).map((one) => ({ ...one })),
    ...(key ? { key } : {}),
  };
}

function toWire({ capabilities, usedBy, enables, ...rest }: ListedCredential) {
  return { ...rest, capabilities: [...capabilities], usedBy: [...usedBy], enables: enables.map((one) => ({ ...one })) };
}
