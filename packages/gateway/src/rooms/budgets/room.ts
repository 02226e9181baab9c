// The budgets room owns spending limits: how much may be spent by whom in which time, and what is set aside for calls under way.
export { Budgets, type BudgetState } from "./budgets.ts";
export { jobOf, spenderOf } from "./spender.ts";
export { nameLimit, type BudgetRule, type Spender } from "./rules.ts";
