// Security checks about spending: whether anything limits it.
import type { SecurityCheck } from "@chela/sdk";
import { read } from "../../base/settings/read-settings.ts";

const checkBudgets: SecurityCheck["look"] = ({ config }) => {
  const budgets = read(config, "budgets");
  if (Array.isArray(budgets) && budgets.length > 0) return [];
  return [
    {
      id: "budgets-none",
      severity: "info",
      title: "Spending has no limit",
      risk: "An agent that goes in circles, or somebody who uses it too much, costs as much as your provider lets it.",
      where: "budgets",
      fix: `chela config set budgets '[{ "scope": "all", "period": "day", "usd": 5 }]'`,
    },
  ];
};

export const checks: readonly SecurityCheck[] = [{ topic: "upkeep", look: checkBudgets }];
