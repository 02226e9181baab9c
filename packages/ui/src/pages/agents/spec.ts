// The page “Agents”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Agents",
  icon: "agents",
  group: "shape",
  order: 20,
  needs: "agents.list",
  words: ["composer"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
