// The page “Chat”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Chat",
  icon: "chat",
  group: "talk",
  order: 10,
  needs: "chat.watch",
  words: ["composer", "conversation", "subagents"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
