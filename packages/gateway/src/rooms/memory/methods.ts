// Methods about what agents remember.
import { defined } from "@chela/sdk/base";
import { GatewayError, namedAgentId } from "@chela/sdk";
import {
  type MEMORY_METHODS,
  type MethodParams,
  actorOf,
  invalid,
  type CallContext,
  type Handlers,
  holdsScope,
} from "@chela/sdk/protocol";
import type { NewAuditEvent } from "../audit/room.ts";
import { BLOCK_CHARS, type AgentMemoryStatus, type Memory } from "./room.ts";
import type { House } from "../../house/house.ts";

type MemoryMethods = Pick<Handlers, keyof typeof MEMORY_METHODS>;

const USUAL_FACTS = 50;
const USUAL_SUBJECTS = 100;

export function memoryMethods(gateway: House): MemoryMethods {
  const { clock, audit } = gateway;
  const agentOf = (written: string | undefined): string => {
    const agentId = written === undefined ? gateway.keys().defaultAgentId : namedAgentId(written);
    const known = gateway.agents().map(({ id }) => id);
    if (!known.includes(agentId)) throw invalid(`there is no agent "${agentId}"; there are: ${known.join(", ")}`);
    return agentId;
  };
  /** The method's agent and the room, for what is done with both. */
  const withMemory = async <T>(
    written: string | undefined,
    work: (memory: Memory, agentId: string) => Promise<T> | T,
  ): Promise<T & { agentId: string }> => {
    const agentId = agentOf(written);
    return { ...(await work(await gateway.memory(), agentId)), agentId };
  };

  return {
    async "memory.status"({ agentId }) {
      const memory = await gateway.memory();
      const ids = agentId === undefined ? gateway.agents().map(({ id }) => id) : [agentOf(agentId)];
      const agents = [];
      for (const id of ids) agents.push(toStatus(await memory.status(id)));
      return { agents };
    },
    async "doctor.memory.status"({ agentId }) {
      return withMemory(agentId, async (memory, id) => {
        const { provider } = await memory.status(id);
        const why = await memory.tryEmbedding(id);
        return { provider, embedding: { ok: why === undefined, ...(why ? { error: why } : {}) } };
      });
    },
    async "memory.search"({ agentId, ...wish }) {
      const began = clock.steady();
      return withMemory(agentId, async (memory, id) => {
        const { results, indexing, ...answer } = await memory.search(id, pickSet(wish));
        return {
          ...answer,
          results: results.map((found) => ({ ...found, citation: citationOf(found) })),
          ...(indexing ? { indexing: { agentId: id, ...indexing } } : {}),
          tookMs: clock.steady() - began,
        };
      });
    },
    async "memory.index"({ agentId, force = false }) {
      return withMemory(agentId, async (memory, id) => {
        const { notes, ...done } = await memory.sync(id, force);
        return { ...done, notes: [...notes] };
      });
    },
    async "memory.rebuild"({ agentId, what = "all" }) {
      return withMemory(agentId, async (memory, id) => {
        await memory.rebuild(id, what);
        return { started: true as const };
      });
    },
    async "memory.check"({ agentId, repair = false }) {
      return withMemory(agentId, async (memory, id) => {
        const findings = await memory.check(id, repair);
        return { ok: findings.every(({ isRepaired }) => isRepaired), findings: findings.map((one) => ({ ...one })) };
      });
    },
    async "memory.notes.list"({ agentId }) {
      return withMemory(agentId, async (memory, id) => ({
        workspace: memory.workspace(id),
        notes: (await memory.notes(id).list()).map((note) => ({ ...note })),
      }));
    },
    async "memory.notes.get"({ agentId, path }, { client }) {
      return withMemory(agentId, (memory, id) => {
        const note = memory.notes(id).read(path);
        if (!note) throw new GatewayError("MEMORY_NOTE", `there is no ${path}`);
        // Whoever may change a note needs it to the letter; nobody else needs the secrets somebody noted down.
        const isWhole = holdsScope(client.scopes, "operator.admin");
        return { ...note, text: isWhole ? note.text : gateway.log.redact(note.text) };
      });
    },
    async "memory.notes.set"({ agentId, path, text, baseHash }) {
      return withMemory(agentId, async (memory, id) => {
        const hash = memory.notes(id).write(path, text, baseHash);
        await memory.notesWritten(id);
        return { path, hash };
      });
    },
    async "memory.notes.delete"({ agentId, path, baseHash }) {
      return withMemory(agentId, async (memory, id) => {
        const deleted = memory.notes(id).delete(path, baseHash);
        await memory.notesWritten(id);
        return { path, deleted };
      });
    },
    async "memory.subjects"({ agentId, search, limit = USUAL_SUBJECTS }) {
      return withMemory(agentId, async (memory, id) => {
        const subjects = await memory.subjects(id, { limit, ...(search ? { search } : {}) });
        return { subjects: subjects.map(({ kinds, ...rest }) => ({ ...rest, kinds: [...kinds] })) };
      });
    },
    async "memory.facts"({ agentId, limit = USUAL_FACTS, offset = 0, ...wish }) {
      return withMemory(agentId, async (memory, id) => {
        const { facts, total } = await memory.facts(id, { ...pickSet(wish), limit, offset });
        return { facts: facts.map((fact) => ({ ...fact })), total, hasMore: offset + facts.length < total };
      });
    },
    async "memory.block"({ agentId }) {
      return withMemory(agentId, async (memory, id) => ({ text: await memory.block(id), most: BLOCK_CHARS }));
    },
    async "memory.forget"({ agentId, what }, call) {
      return withMemory(agentId, async (memory, id) => {
        const forgotten = await memory.forget(id, what);
        audit.noteAtOnce(forgetEvent(id, what, { ...forgotten }, call));
        return { forgotten: { ...forgotten } };
      });
    },
  };
}

/** What was forgotten is not named: the trail must not remember what memory does not. */
function forgetEvent(
  agentId: string,
  what: MethodParams<"memory.forget">["what"],
  forgotten: Record<string, number>,
  { client }: CallContext,
): NewAuditEvent {
  const target = what.kind === "fact" ? `fact:${what.id}` : what.kind;
  return {
    action: "memory",
    actor: actorOf(client),
    target,
    outcome: "ok",
    agentId,
    detail: { step: "forgotten", ...forgotten },
  };
}

function toStatus({ settings, of, learned, progress, reading, agentId, ...status }: AgentMemoryStatus) {
  const { path, workspace, sources, extraPaths } = settings;
  return {
    ...status,
    agentId,
    path,
    workspace,
    sources: [...sources],
    extraPaths: [...extraPaths],
    notes: [...status.notes],
    languages: status.languages.map((one) => ({ ...one })),
    learned: { ...learned, of: Math.max(of, learned.seq) },
    ...(reading ? { reading: { ...reading } } : {}),
    ...(progress ? { progress: { agentId, ...progress } } : {}),
  };
}

function citationOf({ source, path, startLine, endLine, entryId }: FoundPlace): string {
  return source === "memory" ? `${path}#L${startLine}-L${endLine}` : `${path}#${entryId ?? ""}`;
}

interface FoundPlace {
  readonly source: "memory" | "sessions";
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly entryId?: string;
}

/** Leaves out what was not said, for those who tell "unset" from "undefined". */
function pickSet<T extends object>(wish: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return defined(wish) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
