// 日志页面的中文文本。
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/logs/words.ts";

export default {
  lines: "日志行",
  filter: "按文本筛选",
  part: "来源",
  everything: "全部",
  levels: "级别",
  level: "级别",
  time: "时间",
  text: "消息",
  wrap: "自动换行",
  pause: "暂停",
  resume: "继续",
  download: "下载当前显示的内容",
  newest: "最新",
  newestOf: (count: number) => `${count} 行新日志`,
  none: "没有可显示的日志。一有新内容就会出现在这里。",
  details: "日志详情",
  heldWith: (count: string) => `已暂停。期间新增 ${count} 行。`,
  skipped: (count: number) => `… 有 ${count} 行来得太快，未能显示`,
  shown: (shown: string, all: string) => `显示 ${shown} / ${all} 行`,
} satisfies InOtherWords<typeof en>;
