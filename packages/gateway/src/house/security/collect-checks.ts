// List of the security audit's checks: those that parts hand in, by what they are about.
import { SECURITY_TOPICS, type SecurityCheck } from "@chela/sdk";
import { CONTRIBUTIONS } from "../contributions.ts";

export async function collectChecks(): Promise<readonly SecurityCheck[]> {
  const handedIn = await Promise.all(CONTRIBUTIONS.map(async (part) => (await part.securityChecks?.()) ?? []));
  const place = ({ topic }: SecurityCheck): number => SECURITY_TOPICS.indexOf(topic);
  return handedIn.flat().sort((one, other) => place(one) - place(other));
}
