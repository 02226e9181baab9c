// 会话的子智能体（中文）。
import type { InOtherWords } from "../index.ts";
import type en from "../en/subagents.ts";

export default {
  title: "子智能体",
  atWork: (count) => `${count} 个子智能体正在工作`,
  done: (count) => `${count} 个子智能体已完成`,
  moreDone: (count) => `${count} 个已完成`,
  state_running: "工作中",
  state_announcing: "正在带回结果",
  outcome_ok: "已完成",
  outcome_error: "失败",
  outcome_timeout: "超时",
  outcome_killed: "已停止",
  notDelivered: "结果未送达",
  tokens: (count) => `${count} 个 token`,
  steer: (name) => `对 ${name} 说`,
  steerHint: "例如：也看看去年的",
  steerSend: "说",
  steered: "已说。",
  stop: (name) => `停止 ${name}`,
  stopTitle: (name) => `停止“${name}”？`,
  stopText: "它会就此结束，它启动的也一样。已完成的部分会保留。",
  stopYes: "停止",
  stopped: "已停止。",
  startedFrom: "上级会话：",
} satisfies InOtherWords<typeof en>;
