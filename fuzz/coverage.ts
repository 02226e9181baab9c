// Coverage of our code, as V8 counts it: an input that reaches a new part is worth keeping.
import { Session, type Profiler } from "node:inspector";

export interface Coverage extends Disposable {
  /** The parts that ran since the last look, each by its place. */
  take(): ReadonlySet<string>;
}

/** Of this thread only. */
export function watchCoverage(): Coverage {
  const session = new Session();
  session.connect();
  const ask = (method: string, params?: object): unknown => {
    let answer: unknown;
    session.post(method, params, (error: Error | null, given: unknown) => {
      if (error) throw error;
      answer = given;
    });
    return answer;
  };
  ask("Profiler.enable");
  ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return {
    take() {
      const { result } = ask("Profiler.takePreciseCoverage") as Profiler.TakePreciseCoverageReturnType;
      return new Set(result.filter(({ url }) => isOurs(url)).flatMap(partsOf));
    },
    [Symbol.dispose]: () => session.disconnect(),
  };
}

function isOurs(url: string): boolean {
  return url.includes("/packages/") && !url.includes("/node_modules/");
}

function partsOf({ scriptId, functions }: Profiler.ScriptCoverage): string[] {
  return functions.flatMap(({ ranges }) =>
    ranges.filter(({ count }) => count > 0).map((part) => `${scriptId}:${part.startOffset}:${part.endOffset}`),
  );
}
