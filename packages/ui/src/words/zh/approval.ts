// 询问一条命令能否运行时的文字（中文）。
import type { InOtherWords } from "../index.ts";
import type en from "../en/approval.ts";

export default {
  question: "允许运行这条命令吗？",
  left: (time) => `剩余 ${time}`,
  endsNow: "即将过期",
  command: "命令",
  goesOn: "命令较长，请滚动查看全文。",
  directory: "目录",
  program: "程序",
  agent: "智能体",
  chat: "对话",
  askedBy: "请求者",
  variables: "环境变量",
  why: "原因",
  deny: "拒绝",
  allowAlways: "始终允许",
  allowOnce: "允许一次",
  alwaysMeans: "“始终允许”只对这条完全相同的命令有效，可在“审批”页撤销。",
  saidDeny: "已拒绝，命令不会运行。",
  saidAlways: "今后都允许。",
  saidOnce: "这一次已允许。",
} satisfies InOtherWords<typeof en>;
