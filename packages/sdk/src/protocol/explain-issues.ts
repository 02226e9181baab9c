// Words for parameters that do not fit, in the form clients of this protocol already understand.
import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/** `at /path: must be string; must have required property 'x'; at root: unexpected property 'y'` */
export function explainIssues(issues: readonly Issue[], input: unknown): string {
  return issues.flatMap((issue) => sentences(issue, input)).join("; ");
}

function sentences(issue: Issue, input: unknown): string[] {
  const parent = issue.path.slice(0, -1);
  const place = issue.path.length > 0 ? `at /${issue.path.map(String).join("/")}: ` : "at root: ";
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => `${place}unexpected property '${key}'`);
    case "invalid_type":
      if (issue.path.length > 0 && valueAt(input, issue.path) === undefined)
        return [missing(parent, issue.path.at(-1))];
      return [`${place}must be ${issue.expected === "int" ? "integer" : issue.expected}`];
    case "invalid_value":
      if (issue.path.length > 0 && valueAt(input, issue.path) === undefined)
        return [missing(parent, issue.path.at(-1))];
      return [`${place}must be one of ${issue.values.map(String).join(", ")}`];
    case "invalid_union": {
      if (issue.path.length > 0 && valueAt(input, issue.path) === undefined)
        return [missing(parent, issue.path.at(-1))];
      const types = issue.errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first.expected] : []));
      return [`${place}must be ${types.join(" or ") || "of another form"}`];
    }
    case "too_small":
      return [
        issue.origin === "string"
          ? `${place}must NOT have fewer than ${issue.minimum} characters`
          : `${place}must be >= ${issue.minimum}`,
      ];
    case "too_big":
      return [
        issue.origin === "string"
          ? `${place}must NOT have more than ${issue.maximum} characters`
          : `${place}must be <= ${issue.maximum}`,
      ];
    default:
      return [`${place}${issue.message}`];
  }
}

function missing(parent: readonly PropertyKey[], key: PropertyKey | undefined): string {
  const place = parent.length > 0 ? `at /${parent.map(String).join("/")}: ` : "";
  return `${place}must have required property '${String(key)}'`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
