// Chooses the mapping for a request: by its path before it is believed, by what it says after. The first that fits has it.
import type { Mapping } from "./mapping.ts";
import { checkSignature, type Proof, type SignedCall } from "../signature.ts";

export interface Candidate {
  readonly mapping: Mapping;
  /** Undefined: it asks for the token. */
  readonly proof: Proof | undefined;
}

export function mappingsAt(mappings: readonly Mapping[], path: string): readonly Mapping[] {
  return mappings.filter((mapping) => mapping.path === undefined || mapping.path === path);
}

/** Those that may see what the request says: signed for them, or brought by somebody with the token. */
export function believers(
  mappings: readonly Mapping[],
  call: SignedCall,
  now: number,
  hasToken: boolean,
): readonly Candidate[] {
  return mappings.flatMap((mapping): Candidate[] => {
    if (!mapping.signature) return hasToken ? [{ mapping, proof: undefined }] : [];
    const proof = checkSignature(call, mapping.signature, now);
    return proof.kind === "proven" ? [{ mapping, proof }] : [];
  });
}

export function chooseMapping(candidates: readonly Candidate[], payload: unknown): Candidate | undefined {
  return candidates.find(({ mapping: { source } }) => source === undefined || source === sourceOf(payload));
}

function sourceOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !Object.hasOwn(payload, "source")) return undefined;
  const { source } = payload as { source: unknown };
  return typeof source === "string" ? source : undefined;
}
