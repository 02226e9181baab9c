// 会话的命令在哪里运行，中文。
import type { InOtherWords } from "../index.ts";
import type en from "../en/sandbox.ts";

export default {
  inside: "沙箱中",
  outside: "在本机",
  broken: "沙箱不可用",
  label: (state) => `命令运行位置：${state}`,
  title: "命令在哪里运行",
  insideHow: "这个会话的命令在沙箱里运行。除了只读的系统之外，它们在这台机器上只能看到：",
  outsideHow: "这个会话的命令以网关用户的身份在这台机器上运行。需要批准的会先询问。",
  brokenHow: "这个会话的命令应该在沙箱里运行，但现在无法建立沙箱。在此之前，命令会被拒绝。",
  why: "原因",
  sees: "可见",
  readOnly: "只读",
  network: "网络",
  networkNone: "无",
  limits: "限制",
  memory: (amount) => `内存 ${amount}`,
  processes: (count) => `${count} 个进程`,
  time: (amount) => `处理器时间 ${amount}`,
  file: (amount) => `文件最大 ${amount}`,
  files: (count) => `最多打开 ${count} 个文件`,
  cpus: (count) => `${count} 个处理器`,
  shared: "共用",
  shared_shared: "与所有会话共用",
  shared_agent: "与该智能体的其他会话共用",
  shared_session: "不与他人共用",
  keptBy: "后端",
  more: "更多安全信息",
} satisfies InOtherWords<typeof en>;
