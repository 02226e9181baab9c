// The page “Memory”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Memory",
  icon: "memory",
  group: "shape",
  order: 30,
  needs: "memory.search",
  load: () => import("./page.ts"),
} satisfies PageSpec;
