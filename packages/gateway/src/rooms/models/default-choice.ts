// Adds a new choice to what `agents.defaults` says about models. Pure.

interface ListedModels {
  readonly models?: Readonly<Record<string, unknown>> | undefined;
}

/** A list of models that may be used is kept complete; where there is none, all may be used, and that stays so. */
export function listModel({ models = {} }: ListedModels, ref: string): { models?: Record<string, object> } {
  const isListed = Object.keys(models).length === 0 || Object.hasOwn(models, ref);
  return isListed ? {} : { models: { [ref]: {} } };
}
