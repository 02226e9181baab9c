// 控制台的中文文本。
import type { InOtherWords } from "../../index.ts";
import type en from "../../../pages/console/words.ts";

export default {
  about: "调用此网关的任意方法，并查看连接上传输的内容。",
  method: "方法",
  params: "参数（JSON）",
  noParams: "没有参数。",
  required: "必填",
  call: "调用",
  history: "之前的调用",
  result: "结果",
  ok: "成功",
  failed: "失败",
  badJson: "参数不是有效的 JSON。",
  frames: "数据帧",
  filter: "按方法或事件筛选",
  pause: "暂停",
  resume: "继续",
  clear: "清空",
  noFrames: "连接上还没有内容。调用一个方法，或等待事件。",
  sent: "已发送",
  received: "已接收",
} satisfies InOtherWords<typeof en>;
