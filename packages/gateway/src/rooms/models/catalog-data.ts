// Models and prices from @earendil-works/pi-ai 1.5.0 (licence MIT). Written by scripts/model-catalog.ts: do not edit.

/** By provider, one model per line: id, name, marks, context, output, then prices per million tokens. */
// oxfmt-ignore
export const CATALOG_DATA: Readonly<Record<string, string>> = {
  "anthropic": `
claude-fable-5|Claude Fable 5|ri|1000000|128000|10|50|1|12.5
claude-fable-5-1|Claude Fable 5.1|ri|1000000|128000|10|50|0.25|12.5
claude-haiku-4-5|Claude Haiku 4.5|ri|200000|64000|1|5|0.1|1.25
claude-haiku-4-5-20251001|Claude Haiku 4.5|ri|200000|64000|1|5|0.1|1.25
claude-haiku-5-5|Claude Haiku 5.5|ri|1000000|128000|0.1|0.5|0.01|0.125
claude-opus-4-5|Claude Opus 4.5|ri|200000|64000|5|25|0.5|6.25
claude-opus-4-5-20251101|Claude Opus 4.5|ri|200000|64000|5|25|0.5|6.25
claude-opus-4-6|Claude Opus 4.6|ri|1000000|128000|5|25|0.5|6.25
claude-opus-4-7|Claude Opus 4.7|ri|1000000|128000|5|25|0.5|6.25
claude-opus-4-8|Claude Opus 4.8|ri|1000000|128000|5|25|0.5|6.25
claude-opus-5|Claude Opus 5|ri|1000000|128000|5|25|0.5|6.25
claude-opus-5-5|Claude Opus 5.5|ri|1000000|128000|4|20|0.2|5
claude-sonnet-4-5|Claude Sonnet 4.5|ri|200000|64000|3|15|0.3|3.75
claude-sonnet-4-5-20250929|Claude Sonnet 4.5|ri|200000|64000|3|15|0.3|3.75
claude-sonnet-4-6|Claude Sonnet 4.6|ri|1000000|128000|3|15|0.3|3.75
claude-sonnet-5|Claude Sonnet 5|ri|1000000|128000|2|10|0.2|2.5
claude-sonnet-5-5|Claude Sonnet 5.5|ri|1000000|128000|2|10|0.1|2.5
`,
  "openai": `
chat-latest|Chat Latest|ri|400000|128000|5|30|0.5|0
gpt-4|GPT-4||8192|8192|30|60|0|0
gpt-4-turbo|GPT-4 Turbo|i|128000|4096|10|30|0|0
gpt-4.1|GPT-4.1|i|1047576|32768|2|8|0.5|0
gpt-4.1-mini|GPT-4.1 mini|i|1047576|32768|0.4|1.6|0.1|0
gpt-4.1-nano|GPT-4.1 nano|i|1047576|32768|0.1|0.4|0.025|0
gpt-4o|GPT-4o|i|128000|16384|2.5|10|1.25|0
gpt-4o-2024-05-13|GPT-4o (2024-05-13)|i|128000|4096|5|15|0|0
gpt-4o-2024-08-06|GPT-4o (2024-08-06)|i|128000|16384|2.5|10|1.25|0
gpt-4o-2024-11-20|GPT-4o (2024-11-20)|i|128000|16384|2.5|10|1.25|0
gpt-4o-mini|GPT-4o mini|i|128000|16384|0.15|0.6|0.075|0
gpt-5|GPT-5|ri|400000|128000|1.25|10|0.125|0
gpt-5-chat-latest|GPT-5 Chat Latest|i|128000|16384|1.25|10|0.125|0
gpt-5-mini|GPT-5 Mini|ri|400000|128000|0.25|2|0.025|0
gpt-5-nano|GPT-5 Nano|ri|400000|128000|0.05|0.4|0.005|0
gpt-5-pro|GPT-5 Pro|ri|400000|128000|15|120|0|0
gpt-5.1|GPT-5.1|ri|400000|128000|1.25|10|0.125|0
gpt-5.2|GPT-5.2|ri|400000|128000|1.75|14|0.175|0
gpt-5.2-pro|GPT-5.2 Pro|ri|400000|128000|21|168|0|0
gpt-5.3-codex|GPT-5.3 Codex|ri|400000|128000|1.75|14|0.175|0
gpt-5.3-codex-spark|GPT-5.3 Codex Spark|ri|128000|32000|1.75|14|0.175|0
gpt-5.4|GPT-5.4|ri|272000|128000|2.5|15|0.25|0
gpt-5.4-mini|GPT-5.4 mini|ri|400000|128000|0.75|4.5|0.075|0
gpt-5.4-nano|GPT-5.4 nano|ri|400000|128000|0.2|1.25|0.02|0
gpt-5.4-pro|GPT-5.4 Pro|ri|1050000|128000|30|180|0|0
gpt-5.5|GPT-5.5|ri|272000|128000|5|30|0.5|0
gpt-5.5-pro|GPT-5.5 Pro|ri|1050000|128000|30|180|0|0
gpt-5.6-cyber|GPT-5.6 Cyber|ri|400000|128000|12.5|75|1.25|15.625
gpt-5.6-luna|GPT-5.6 Luna|ri|272000|128000|0.2|1.2|0.02|0.25
gpt-5.6-sol|GPT-5.6 Sol|ri|272000|128000|4|20|0.4|5
gpt-5.6-terra|GPT-5.6 Terra|ri|272000|128000|2|12|0.2|2.5
gpt-6-astra|GPT-6 Astra|ri|272000|128000|10|50|1|12.5
gpt-6-luna|GPT-6 Luna|ri|272000|128000|0.1|0.5|0.01|0.125
gpt-6-sol|GPT-6 Sol|ri|272000|128000|2|10|0.2|2.5
gpt-6.1-sol|GPT-6.1 Sol|ri|272000|128000|2|10|0.1|2.5
gpt-6.1-terra|GPT-6.1 Terra|ri|272000|128000|1|5|0.05|1.25
gpt-daybreak-blue-latest|Daybreak Blue|ri|1050000|128000|4|20|0.4|5
gpt-daybreak-red-latest|Daybreak Red|ri|400000|128000|12.5|75|1.25|15.625
o1|o1|ri|200000|100000|15|60|7.5|0
o1-pro|o1-pro|ri|200000|100000|150|600|0|0
o3|o3|ri|200000|100000|2|8|0.5|0
o3-mini|o3-mini|r|200000|100000|1.1|4.4|0.55|0
o3-pro|o3-pro|ri|200000|100000|20|80|0|0
o4-mini|o4-mini|ri|200000|100000|1.1|4.4|0.275|0
`,
  "google": `
gemini-2.5-flash|Gemini 2.5 Flash|ri|1048576|65536|0.3|2.5|0.03|0
gemini-2.5-flash-lite|Gemini 2.5 Flash-Lite|ri|1048576|65536|0.1|0.4|0.01|0
gemini-2.5-pro|Gemini 2.5 Pro|ri|1048576|65536|1.25|10|0.125|0
gemini-3-flash-preview|Gemini 3 Flash Preview|ri|1048576|65536|0.5|3|0.05|0
gemini-3.1-flash-lite|Gemini 3.1 Flash Lite|ri|1048576|65536|0.25|1.5|0.025|0
gemini-3.1-flash-lite-preview|Gemini 3.1 Flash Lite Preview|ri|1048576|65536|0.25|1.5|0.025|0
gemini-3.1-pro-preview|Gemini 3.1 Pro Preview|ri|1048576|65536|2|12|0.2|0
gemini-3.1-pro-preview-customtools|Gemini 3.1 Pro Preview Custom Tools|ri|1048576|65536|2|12|0.2|0
gemini-3.5-flash|Gemini 3.5 Flash|ri|1048576|65536|1.5|9|0.15|0
gemini-3.5-flash-lite|Gemini 3.5 Flash Lite|ri|1048576|65536|0.3|2.5|0.03|0
gemini-3.6-flash|Gemini 3.6 Flash|ri|1048576|65536|0.75|3.75|0.075|0
gemini-3.7-flash|Gemini 3.7 Flash|ri|1048576|65536|0.75|3.75|0.075|0
gemini-3.8-flash|Gemini 3.8 Flash|ri|1048576|65536|0.75|3.75|0.075|0
gemini-4-argon|Gemini 4 Argon|ri|1048576|32768|2|10|0.1|0
gemini-flash-latest|Gemini Flash Latest|ri|1048576|65536|1.5|9|0.15|0
gemini-flash-lite-latest|Gemini Flash-Lite Latest|ri|1048576|65536|0.25|1.5|0.025|0
gemini-pro-latest|Gemini Pro Latest|ri|1048576|65536|2|12|0.2|0
gemini-robotics-er-2-preview|Gemini Robotics-ER 2 Preview|ri|131072|65536|1|5|0.1|0
gemma-4-26b-a4b-it|Gemma 4 26B A4B IT|ri|262144|32768|0|0|0|0
gemma-4-31b-it|Gemma 4 31B IT|ri|262144|32768|0|0|0|0
`,
  "openrouter": `
anthropic/claude-fable-5|Anthropic: Claude Fable 5|ri|1000000|128000|10|50|1|12.5
anthropic/claude-fable-5.1|Anthropic: Claude Fable 5.1|ri|1000000|128000|10|50|0.25|12.5
anthropic/claude-haiku-4.5|Anthropic: Claude Haiku 4.5|ri|200000|64000|1|5|0.1|1.25
anthropic/claude-haiku-5.5|Anthropic: Claude Haiku 5.5|ri|1000000|128000|0.1|0.5|0.01|0.125
anthropic/claude-opus-4.1|Anthropic: Claude Opus 4.1|ri|200000|32000|15|75|1.5|18.75
anthropic/claude-opus-4.5|Anthropic: Claude Opus 4.5|ri|200000|64000|5|25|0.5|6.25
anthropic/claude-opus-4.6|Anthropic: Claude Opus 4.6|ri|1000000|128000|5|25|0.5|6.25
anthropic/claude-opus-4.7|Anthropic: Claude Opus 4.7|ri|1000000|128000|5|25|0.5|6.25
anthropic/claude-opus-4.8|Anthropic: Claude Opus 4.8|ri|1000000|128000|5|25|0.5|6.25
anthropic/claude-opus-5|Anthropic: Claude Opus 5|ri|1000000|128000|5|25|0.5|6.25
anthropic/claude-opus-5.5|Anthropic: Claude Opus 5.5|ri|1000000|128000|4|20|0.2|5
anthropic/claude-sonnet-4.5|Anthropic: Claude Sonnet 4.5|ri|1000000|64000|3|15|0.3|3.75
anthropic/claude-sonnet-4.6|Anthropic: Claude Sonnet 4.6|ri|1000000|128000|3|15|0.3|3.75
anthropic/claude-sonnet-5|Anthropic: Claude Sonnet 5|ri|1000000|128000|2|10|0.2|2.5
anthropic/claude-sonnet-5.5|Anthropic: Claude Sonnet 5.5|ri|1000000|128000|2|10|0.1|2.5
aion-labs/aion-2.0|AionLabs: Aion-2.0|r|131072|32768|0.8|1.6|0.2|0
aion-labs/aion-3.0|AionLabs: Aion-3.0|r|131072|32768|3|6|0.75|0
aion-labs/aion-3.0-mini|AionLabs: Aion-3.0-Mini|r|131072|32768|0.7|1.4|0.18|0
aion-labs/aion-3.5|AionLabs: Aion 3.5|r|262144|32768|3|6|0.75|0
aion-labs/aion-3.5-mini|AionLabs: Aion 3.5 Mini|r|262144|32768|0.7|1.4|0.18|0
amazon/nova-2-lite-v1|Amazon: Nova 2 Lite|ri|1000000|65535|0.3|2.5|0|0
amazon/nova-lite-v1|Amazon: Nova Lite 1.0|i|300000|5120|0.06|0.24|0|0
amazon/nova-micro-v1|Amazon: Nova Micro 1.0||128000|5120|0.035|0.14|0|0
amazon/nova-premier-v1|Amazon: Nova Premier 1.0|i|1000000|32000|2.5|12.5|0.625|0
amazon/nova-pro-v1|Amazon: Nova Pro 1.0|i|300000|5120|0.8|3.2|0|0
auto|Auto|ri|2000000|30000
bytedance-seed/seed-1.6|ByteDance Seed: Seed 1.6|ri|262144|32768|0.25|2|0|0
bytedance-seed/seed-1.6-flash|ByteDance Seed: Seed 1.6 Flash|ri|262144|32768|0.075|0.3|0|0
bytedance-seed/seed-2-1-turbo|ByteDance Seed: Seed 2.1 Turbo|ri|262144|235929|0.5|2.5|0|0
bytedance-seed/seed-2.0-code|ByteDance Seed: Seed-2.0-Code|ri|262144|131072|0.5|3|0|0
bytedance-seed/seed-2.0-lite|ByteDance Seed: Seed-2.0-Lite|ri|262144|131072|0.25|2|0|0
bytedance-seed/seed-2.0-mini|ByteDance Seed: Seed-2.0-Mini|ri|262144|131072|0.1|0.4|0|0
cohere/command-a-plus|Cohere: Command A+|ri|192000|64000|0.3|1.5|0.15|0
cohere/command-r-08-2024|Cohere: Command R (08-2024)||128000|4000|0.15|0.6|0|0
cohere/command-r-plus-08-2024|Cohere: Command R+ (08-2024)||128000|4000|2.5|10|0|0
cohere/north-mini-code:free|Cohere: North Mini Code (free)|r|256000|64000|0|0|0|0
deepseek/deepseek-chat|DeepSeek: DeepSeek V3||128000|16000|0.2574|1.0287|0|0
deepseek/deepseek-chat-v3-0324|DeepSeek: DeepSeek V3 0324||128000|115200|0.29|1.14|0.11|0
deepseek/deepseek-chat-v3.1|DeepSeek: DeepSeek V3.1|r|163840|147456|0.25|0.95|0.13|0
deepseek/deepseek-r1-0528|DeepSeek: R1 0528|r|163840|32768|0.5|2.15|0.35|0
deepseek/deepseek-v3.1-terminus|DeepSeek: DeepSeek V3.1 Terminus|r|163840|147456|0.27|1|0|0
deepseek/deepseek-v3.2|DeepSeek: DeepSeek V3.2|r|163840|147456|0.26|0.38|0.13|0
deepseek/deepseek-v3.2-exp|DeepSeek: DeepSeek V3.2 Exp|r|163840|147456|0.27|0.41|0|0
deepseek/deepseek-v4-flash|DeepSeek: DeepSeek V4 Flash 0423|r|1048575|943717|0.091|0.182|0.0182|0
deepseek/deepseek-v4-flash-0731|DeepSeek: DeepSeek V4 Flash 0731|r|1048576|943718|0.119|0.238|0.0238|0
deepseek/deepseek-v4-flash-vision-exp|DeepSeek: DeepSeek V4 Flash Vision Exp|ri|1048576|262144|0.2156|0.6468|0.00686|0
deepseek/deepseek-v4-pro|DeepSeek: DeepSeek V4 Pro 0423|r|1048576|393216|1.6|3.2|0.135|0
deepseek/deepseek-v4-pro-0813|DeepSeek: DeepSeek V4 Pro 0813|r|1048576|943718|0.115|4|0.11|0
deepseek/deepseek-v4.1-flash|DeepSeek: DeepSeek V4.1 Flash|ri|1048576|943718|0.045|0.5|0.006|0
deepseek/deepseek-v4.1-flash-1017|DeepSeek: DeepSeek V4.1 Flash 1017|ri|1048576|393216|0.15|0.6|0.003|0
dots-studio/dots-3-note-preview:free|Dots Studio: Dots3-Note Preview (free)|ri|512000|460800|0|0|0|0
elorian/glimpse|Elorian: Glimpse|ri|262144|256000|0.6|3|0.06|0
fireworks/ember-1|Fireworks: Ember-1|ri|1048576|943718|3|15|0.3|0
google/gemini-2.5-flash|Google: Gemini 2.5 Flash|ri|1048576|65535|0.3|2.5|0.03|0.083333
google/gemini-2.5-flash-lite|Google: Gemini 2.5 Flash Lite|ri|1048576|65535|0.1|0.4|0.01|0.083333
google/gemini-2.5-pro|Google: Gemini 2.5 Pro|ri|1048576|65536|1.25|10|0.125|0.375
google/gemini-2.5-pro-preview|Google: Gemini 2.5 Pro Preview 06-05|ri|1048576|65536|1.25|10|0.125|0.375
google/gemini-3-flash-preview|Google: Gemini 3 Flash Preview|ri|1048576|65536|0.5|3|0.05|0.083333
google/gemini-3-pro-image|Google: Nano Banana Pro (Gemini 3 Pro Image)|ri|65536|32768|2|12|0.2|0.375
google/gemini-3.1-flash-lite|Google: Gemini 3.1 Flash Lite|ri|1048576|65536|0.25|1.5|0.025|0.083333
google/gemini-3.1-flash-lite-preview|Google: Gemini 3.1 Flash Lite Preview|ri|1048576|65536|0.25|1.5|0.025|0.083333
google/gemini-3.1-pro-preview|Google: Gemini 3.1 Pro Preview|ri|1048576|65536|2|12|0.2|0.375
google/gemini-3.1-pro-preview-customtools|Google: Gemini 3.1 Pro Preview Custom Tools|ri|1048576|65536|2|12|0.2|0.375
google/gemini-3.5-flash|Google: Gemini 3.5 Flash|ri|1048576|65536|1.5|9|0.15|0.083333
google/gemini-3.5-flash-lite|Google: Gemini 3.5 Flash Lite|ri|1048576|65536|0.3|2.5|0.03|0.083333
google/gemini-3.6-flash|Google: Gemini 3.6 Flash|ri|1048576|65536|0.75|3.75|0.075|0.041667
google/gemini-3.7-flash|Google: Gemini 3.7 Flash|ri|1048576|65536|0.75|3.75|0.075|0.041667
google/gemini-3.8-flash|Google: Gemini 3.8 Flash|ri|1048576|65536|0.825|4.125|0.0825|0.041667
google/gemini-4-argon|Google: Gemini 4 Argon|ri|1048576|943718|2|10|0.1|0.1875
google/gemini-nano-banana-2.1|Google: Nano Banana 2.1|ri|65536|58982|1.5|7.5|0|0
google/gemma-3-12b-it|Google: Gemma 3 12B|i|131072|16384|0.05|0.15|0|0
google/gemma-3-27b-it|Google: Gemma 3 27B|i|131072|117964|0.08|0.35|0.04|0
google/gemma-4-26b-a4b-it|Google: Gemma 4 26B A4B |ri|262144|32768|0.074|0.223|0.037|0
google/gemma-4-26b-a4b-it:free|Google: Gemma 4 26B A4B  (free)|ri|262144|32768|0|0|0|0
google/gemma-4-31b-it|Google: Gemma 4 31B|ri|262144|16384|0.2|0.4|0|0
google/gemma-4-31b-it:free|Google: Gemma 4 31B (free)|ri|262144|32768|0|0|0|0
ibm-granite/granite-4.2-8b|IBM: Granite 4.2 8B|r|131072|117964|0.06|0.15|0.015|0
inception/mercury-2|Inception: Mercury 2|r|128000|50000|0.25|0.75|0.025|0
inception/mercury-2.5|Inception: Mercury 2.5|r|260000|65536|0.04|0.15|0.004|0
inception/mercury-3|Inception: Mercury 3|r|1000000|131072|0.1|0.35|0.01|0
inclusionai/ling-3.0-flash|inclusionAI: Ling 3.0 Flash|r|262144|32768|0.021|0.063|0.0042|0
inclusionai/ling-3.0-flash-vl|inclusionAI: Ling 3.0 Flash VL|ri|131072|32768|0.06|0.18|0.012|0
inclusionai/ling-3.1-flash|inclusionAI: Ling 3.1 Flash|r|1000000|262144|0.075|0.225|0.015|0
liquid/lfm-2.5-2.6b|LiquidAI: LFM2.5-2.6B|r|128000|8192|0.35|0.5|0.04|0
liquid/lfm-2.5-2.6b:free|LiquidAI: LFM2.5-2.6B (free)|r|65536|8192|0|0|0|0
liquid/lfm-2.5-24b-a2b|LiquidAI: LFM2.5-24B-A2B|r|128000|8192|0.05|0.7|0.025|0
meituan/longcat-2.0|Meituan: LongCat 2.0|r|1048756|262144|0.3|1.2|0.006|0
meta-llama/llama-3.1-70b-instruct|Meta: Llama 3.1 70B Instruct||131072|16384|0.4|0.4|0|0
meta-llama/llama-3.1-8b-instruct|Meta: Llama 3.1 8B Instruct||131072|117964|0.05|0.08|0.025|0
meta-llama/llama-3.3-70b-instruct|Meta: Llama 3.3 70B Instruct||131072|16384|0.1|0.32|0|0
meta-llama/llama-4-maverick|Meta: Llama 4 Maverick|i|128000|16384|0.1875|0.6525|0.05|0
meta-llama/llama-4-scout|Meta: Llama 4 Scout|i|327680|16384|0.1|0.3|0|0
meta/muse-glimmer-30b|Meta: Muse Glimmer 30B|ri|131072|16384|0.3|1.2|0.04|0
meta/muse-spark-1.1|Meta: Muse Spark 1.1|ri|1048576|943718|1.25|4.25|0.15|0
meta/muse-spark-1.2|Meta: Muse Spark 1.2|ri|1048576|943718|1.25|4.25|0.15|0
meta/muse-spark-1.2-contributor|Meta: Muse Spark 1.2 Contributor|ri|1048576|943718|0.1|0.2|0.002|0
meta/muse-spark-1.3|Meta: Muse Spark 1.3|ri|1048576|943718|1.25|4.25|0.15|0
meta/muse-spark-1.3-contributor|Meta: Muse Spark 1.3 Contributor|ri|1048576|943718|0.1|0.2|0.002|0
meta/muse-spark-open|Meta: Muse Spark Open|ri|1048576|943718|1.25|4.25|0.15|0
meta/muse-wonder|Meta: Muse Wonder|ri|1048576|943718|4|20|0.2|0
minimax/minimax-m1|MiniMax: MiniMax M1|r|1000000|40000|0.55|2.2|0|0
minimax/minimax-m2|MiniMax: MiniMax M2|r|204800|131072|0.255|1.02|0|0
minimax/minimax-m2.1|MiniMax: MiniMax M2.1|r|204800|131072|0.3|1.2|0.03|0
minimax/minimax-m2.5|MiniMax: MiniMax M2.5|r|198000|32768|0.27|0.95|0.03|0
minimax/minimax-m2.7|MiniMax: MiniMax M2.7|r|204800|131072|0.3|1.2|0.06|0
minimax/minimax-m3|MiniMax: MiniMax M3|ri|524288|512000|0.3|1.2|0.06|0
minimax/minimax-m3.1-flash|MiniMax: MiniMax M3.1 Flash|ri|1048576|524288|0.15|0.6|0.015|0
mistralai/codestral-2508|Mistral: Codestral 2508||256000|204800|0.3|0.9|0.03|0
mistralai/devstral-2512|Mistral: Devstral 2 2512||262144|209715|0.4|2|0.04|0
mistralai/ministral-14b-2512|Mistral: Ministral 3 14B 2512|i|262144|209715|0.2|0.2|0.02|0
mistralai/ministral-3b-2512|Mistral: Ministral 3 3B 2512|i|131072|104857|0.1|0.1|0.01|0
mistralai/ministral-8b-2512|Mistral: Ministral 3 8B 2512|i|262144|209715|0.15|0.15|0.015|0
mistralai/mistral-large|Mistral Large||128000|102400|2|6|0.2|0
mistralai/mistral-large-2407|Mistral Large 2407||131072|104857|2|6|0.2|0
mistralai/mistral-large-2512|Mistral: Mistral Large 3 2512|i|262144|209715|0.5|1.5|0.05|0
mistralai/mistral-large-4-0|Mistral: Mistral Large 4|ri|1048576|262144|0.7|2.1|0.07|0
mistralai/mistral-medium-3|Mistral: Mistral Medium 3|i|131072|104857|0.4|2|0.04|0
mistralai/mistral-medium-3-5|Mistral: Mistral Medium 3.5|ri|262144|209715|1.5|7.5|0|0
mistralai/mistral-medium-3.1|Mistral: Mistral Medium 3.1|i|131072|104857|0.4|2|0.04|0
mistralai/mistral-nemo|Mistral: Mistral Nemo||131072|16384|0.029|0.03|0|0
mistralai/mistral-saba|Mistral: Saba||32768|26214|0.2|0.6|0.02|0
mistralai/mistral-small-2603|Mistral: Mistral Small 4|ri|262144|209715|0.15|0.6|0.015|0
mistralai/mistral-small-3.1-24b-instruct|Mistral: Mistral Small 3.1 24B|i|128000|102400|0.351|0.555|0|0
mistralai/mistral-small-3.2-24b-instruct|Mistral: Mistral Small 3.2 24B|i|128000|16384|0.075|0.2|0|0
mistralai/mixtral-8x22b-instruct|Mistral: Mixtral 8x22B Instruct||65536|52428|2|6|0.2|0
mistralai/voxtral-small-24b-2507|Mistral: Voxtral Small 24B 2507||32768|26214|0.1|0.3|0.01|0
moonshotai/kimi-k2|MoonshotAI: Kimi K2 0711||131072|98304|0.57|2.3|0|0
moonshotai/kimi-k2-0905|MoonshotAI: Kimi K2 0905||262144|98304|0.6|2.5|0|0
moonshotai/kimi-k2-thinking|MoonshotAI: Kimi K2 Thinking|r|262144|98304|0.6|2.5|0.15|0
moonshotai/kimi-k2.5|MoonshotAI: Kimi K2.5|ri|262144|4096|0.41|2.06|0.07|0
moonshotai/kimi-k2.6|MoonshotAI: Kimi K2.6|ri|262144|235929|0.65|3.41|0.15|0
moonshotai/kimi-k2.7-code|MoonshotAI: Kimi K2.7 Code|ri|262144|235929|0.6|3.5|0.15|0
moonshotai/kimi-k3|MoonshotAI: Kimi K3|ri|1048576|131072|0.192|15|0.182|0
moonshotai/kimi-k3.1-pro|MoonshotAI: Kimi K3.1 Pro|ri|1048576|131072|2|10|0.2|0
nex-agi/nex-n2.5-pro|Nex AGI: Nex-N2.5-Pro|ri|262144|235929|0.075|0.25|0.015|0
nvidia/nemotron-3-nano-30b-a3b|NVIDIA: Nemotron 3 Nano 30B A3B|r|262144|235929|0.06|0.24|0.012|0
nvidia/nemotron-3-nano-omni-30b-a3b-reasoning:free|NVIDIA: Nemotron 3 Nano Omni (free)|ri|256000|65536|0|0|0|0
nvidia/nemotron-3-super-120b-a12b|NVIDIA: Nemotron 3 Super|r|1048576|262144|0.3|2.4|0.15|0
nvidia/nemotron-3-ultra-550b-a55b|NVIDIA: Nemotron 3 Ultra|r|202800|182520|0.6|2.4|0.12|0
nvidia/nemotron-3-ultra-550b-a55b:free|NVIDIA: Nemotron 3 Ultra (free)|r|1000000|65536|0|0|0|0
nvidia/nemotron-3.5-lightning|NVIDIA: Nemotron 3.5 Lightning|r|262144|235929|0.07|0.2|0.04|0
nvidia/nemotron-3.5-lightning:free|NVIDIA: Nemotron 3.5 Lightning (free)|r|1000000|65536|0|0|0|0
nvidia/nemotron-3.5-super-vl|NVIDIA: Nemotron 3.5 Super VL|ri|262144|235929|0.15|0.5|0.02|0
nvidia/nemotron-3.5-super-vl:free|NVIDIA: Nemotron 3.5 Super VL (free)|ri|1000000|131072|0|0|0|0
openai/gpt-3.5-turbo-0613|OpenAI: GPT-3.5 Turbo (older v0613)||4095|3685|1|2|0|0
openai/gpt-3.5-turbo-16k|OpenAI: GPT-3.5 Turbo 16k||16385|4096|3|4|0|0
openai/gpt-4|OpenAI: GPT-4||8191|4096|30|60|0|0
openai/gpt-4.1|OpenAI: GPT-4.1|i|1047576|32768|2|8|0.5|0
openai/gpt-4.1-mini|OpenAI: GPT-4.1 Mini|i|1047576|32768|0.4|1.6|0.1|0
openai/gpt-4.1-nano|OpenAI: GPT-4.1 Nano|i|1047576|942818|0.1|0.4|0.03|0
openai/gpt-4o|OpenAI: GPT-4o|i|128000|16384|2.5|10|1.25|0
openai/gpt-4o-2024-05-13|OpenAI: GPT-4o (2024-05-13)|i|128000|4096|5|15|0|0
openai/gpt-4o-2024-08-06|OpenAI: GPT-4o (2024-08-06)|i|128000|16384|2.5|10|1.25|0
openai/gpt-4o-2024-11-20|OpenAI: GPT-4o (2024-11-20)|i|128000|16384|2.5|10|1.25|0
openai/gpt-4o-mini|OpenAI: GPT-4o-mini|i|128000|16384|0.15|0.6|0.075|0
openai/gpt-4o-mini-2024-07-18|OpenAI: GPT-4o-mini (2024-07-18)|i|128000|16384|0.15|0.6|0.075|0
openai/gpt-5|OpenAI: GPT-5|ri|400000|128000|1.25|10|0.125|0
openai/gpt-5-mini|OpenAI: GPT-5 Mini|ri|400000|128000|0.25|2|0.025|0
openai/gpt-5-nano|OpenAI: GPT-5 Nano|ri|400000|128000|0.05|0.4|0.005|0
openai/gpt-5-pro|OpenAI: GPT-5 Pro|ri|400000|128000|15|120|0|0
openai/gpt-5.1|OpenAI: GPT-5.1|ri|400000|128000|1.25|10|0.125|0
openai/gpt-5.1-codex|OpenAI: GPT-5.1-Codex|ri|400000|128000|1.25|10|0.13|0
openai/gpt-5.1-codex-max|OpenAI: GPT-5.1-Codex-Max|ri|400000|128000|1.25|10|0.125|0
openai/gpt-5.1-codex-mini|OpenAI: GPT-5.1-Codex-Mini|ri|400000|128000|0.25|2|0.03|0
openai/gpt-5.2|OpenAI: GPT-5.2|ri|400000|128000|1.75|14|0.175|0
openai/gpt-5.2-chat|OpenAI: GPT-5.2 Chat|i|128000|32000|1.75|14|0.175|0
openai/gpt-5.2-codex|OpenAI: GPT-5.2-Codex|ri|400000|128000|1.75|14|0.175|0
openai/gpt-5.2-pro|OpenAI: GPT-5.2 Pro|ri|400000|128000|21|168|0|0
openai/gpt-5.3-codex|OpenAI: GPT-5.3-Codex|ri|400000|128000|1.75|14|0.175|0
openai/gpt-5.4|OpenAI: GPT-5.4|ri|1050000|128000|2.5|15|0.25|0
openai/gpt-5.4-mini|OpenAI: GPT-5.4 Mini|ri|400000|128000|0.75|4.5|0.075|0
openai/gpt-5.4-nano|OpenAI: GPT-5.4 Nano|ri|400000|128000|0.2|1.25|0.02|0
openai/gpt-5.4-pro|OpenAI: GPT-5.4 Pro|ri|1050000|128000|30|180|0|0
openai/gpt-5.5|OpenAI: GPT-5.5|ri|1050000|128000|5|30|0.5|0
openai/gpt-5.5-pro|OpenAI: GPT-5.5 Pro|ri|1050000|128000|30|180|0|0
openai/gpt-5.6-luna|OpenAI: GPT-5.6 Luna|ri|1050000|128000|0.2|1.2|0.02|0.25
openai/gpt-5.6-luna-pro|OpenAI: GPT-5.6 Luna Pro|ri|1050000|128000|0.2|1.2|0.02|0.25
openai/gpt-5.6-sol|OpenAI: GPT-5.6 Sol|ri|1050000|128000|4|20|0.4|5
openai/gpt-5.6-sol-pro|OpenAI: GPT-5.6 Sol Pro|ri|1050000|128000|4|20|0.4|5
openai/gpt-5.6-terra|OpenAI: GPT-5.6 Terra|ri|1050000|128000|2|12|0.2|2.5
openai/gpt-5.6-terra-pro|OpenAI: GPT-5.6 Terra Pro|ri|1050000|128000|2|12|0.2|2.5
openai/gpt-6-astra|OpenAI: GPT-6 Astra|ri|1050000|128000|10|50|1|12.5
openai/gpt-6-astra-pro|OpenAI: GPT-6 Astra Pro|ri|1050000|128000|10|50|1|12.5
openai/gpt-6-luna|OpenAI: GPT-6 Luna|ri|1050000|128000|0.1|0.5|0.01|0.125
openai/gpt-6-luna-pro|OpenAI: GPT-6 Luna Pro|ri|1050000|128000|0.1|0.5|0.01|0.125
openai/gpt-6-sol|OpenAI: GPT-6 Sol|ri|1050000|128000|2|10|0.2|2.5
openai/gpt-6-sol-pro|OpenAI: GPT-6 Sol Pro|ri|1050000|128000|2|10|0.2|2.5
openai/gpt-6.1-sol|OpenAI: GPT-6.1 Sol|ri|1050000|128000|2|10|0.1|2.5
openai/gpt-6.1-sol-pro|OpenAI: GPT-6.1 Sol Pro|ri|1050000|128000|2|10|0.1|2.5
openai/gpt-6.1-terra|OpenAI: GPT-6.1 Terra|ri|1050000|128000|1|5|0.05|1.25
openai/gpt-6.1-terra-pro|OpenAI: GPT-6.1 Terra Pro|ri|1050000|128000|1|5|0.05|1.25
openai/gpt-audio|OpenAI: GPT Audio||128000|16384|2.5|10|0|0
openai/gpt-audio-mini|OpenAI: GPT Audio Mini||128000|16384|0.6|2.4|0|0
openai/gpt-chat-latest|OpenAI: GPT Chat Latest|i|400000|128000|5|30|0.5|0
openai/gpt-oss-120b|OpenAI: gpt-oss-120b|r|131072|65536|0.15|0.6|0.075|0
openai/gpt-oss-20b|OpenAI: gpt-oss-20b|r|131072|117964|0.03|0.13|0.03|0
openai/gpt-oss-safeguard-20b|OpenAI: gpt-oss-safeguard-20b|r|131072|65536|0.075|0.3|0.0375|0
openai/o3|OpenAI: o3|ri|200000|100000|2|8|0.5|0
openai/o3-pro|OpenAI: o3 Pro|ri|200000|100000|20|80|0|0
openrouter/auto|Auto Router|ri|2000000|4096
openrouter/auto-beta|Auto Router (Beta)|ri|2000000|65536
openrouter/free|Free Models Router|ri|200000|4096|0|0|0|0
openrouter/fusion|OpenRouter: Fusion|r|1000000|30000|0|0|0|0
openrouter/pareto-code|Pareto Code Router|r|2000000|4096|0|0|0|0
particle-ai/particle-1|Particle AI: Particle-1|ri|1048576|131072|0.05|0.5|0.003|0
perceptron/perceptron-mk1.5|Perceptron: Perceptron Mk1.5|ri|36864|8192|0.15|1.5|0|0
prism-ml/ternary-bonsai-2-27b|PrismML: Ternary Bonsai 2 27B|ri|262144|32768|0.075|0.5|0.0375|0
prism-ml/ternary-bonsai-2-9b|PrismML: Ternary Bonsai 2 9B|ri|262144|65536|0.08|0.13|0.04|0
qwen/qwen-2.5-72b-instruct|Qwen2.5 72B Instruct||32768|16384|0.36|0.4|0|0
qwen/qwen-2.5-7b-instruct|Qwen: Qwen2.5 7B Instruct||32768|29491|0.1|0.2|0|0
qwen/qwen-plus|Qwen: Qwen-Plus||1000000|32768|0.26|0.78|0.052|0.325
qwen/qwen3-14b|Qwen: Qwen3 14B|r|40960|16384|0.12|0.24|0|0
qwen/qwen3-235b-a22b-2507|Qwen: Qwen3 235B A22B Instruct 2507||262144|16384|0.09|0.55|0|0
qwen/qwen3-235b-a22b-thinking-2507|Qwen: Qwen3 235B A22B Thinking 2507|r|128000|16384|0.45|3.5|0|0
qwen/qwen3-30b-a3b|Qwen: Qwen3 30B A3B|r|40960|16384|0.12|0.5|0|0
qwen/qwen3-30b-a3b-instruct-2507|Qwen: Qwen3 30B A3B Instruct 2507||262144|235929|0.1|0.3|0.1|0
qwen/qwen3-32b|Qwen: Qwen3 32B|r|40960|16384|0.08|0.28|0|0
qwen/qwen3-coder|Qwen: Qwen3 Coder 480B A35B||262144|65536|0.3|1|0.1|0
qwen/qwen3-coder-30b-a3b-instruct|Qwen: Qwen3 Coder 30B A3B Instruct||262144|235929|0.07|0.28|0|0
qwen/qwen3-coder-flash|Qwen: Qwen3 Coder Flash||1000000|65536|0.195|0.975|0.039|0.24375
qwen/qwen3-coder-next|Qwen: Qwen3 Coder Next||262144|235929|0.12|0.8|0.07|0
qwen/qwen3-next-80b-a3b-instruct|Qwen: Qwen3 Next 80B A3B Instruct||262144|16384|0.09|1.1|0|0
qwen/qwen3-vl-235b-a22b-instruct|Qwen: Qwen3 VL 235B A22B Instruct|i|131072|32768|0.21|1.9|0.1|0
qwen/qwen3-vl-30b-a3b-instruct|Qwen: Qwen3 VL 30B A3B Instruct|i|262144|16384|0.15|0.6|0|0
qwen/qwen3-vl-30b-a3b-thinking|Qwen: Qwen3 VL 30B A3B Thinking|ri|262144|235929|0.29|1|0|0
qwen/qwen3-vl-8b-instruct|Qwen: Qwen3 VL 8B Instruct|i|262144|235929|0.25|0.75|0.12|0
qwen/qwen3.5-122b-a10b|Qwen: Qwen3.5-122B-A10B|ri|262144|65536|0.26|2.08|0|0
qwen/qwen3.5-27b|Qwen: Qwen3.5-27B|ri|262144|81920|0.26|2.6|0|0
qwen/qwen3.5-35b-a3b|Qwen: Qwen3.5-35B-A3B|ri|262144|81920|0.14|1|0.05|0
qwen/qwen3.5-397b-a17b|Qwen: Qwen3.5 397B A17B|ri|262144|235929|0.5|3.6|0.3|0
qwen/qwen3.5-9b|Qwen: Qwen3.5-9B|ri|262144|235929|0.17|0.25|0|0
qwen/qwen3.5-flash-02-23|Qwen: Qwen3.5-Flash|ri|1000000|65536|0.065|0.26|0|0
qwen/qwen3.5-plus-02-15|Qwen: Qwen3.5 Plus 2026-02-15|ri|1000000|65536|0.26|1.56|0|0
qwen/qwen3.5-plus-20260420|Qwen: Qwen3.5 Plus 2026-04-20|ri|1000000|65536|0.3|1.8|0|0.375
qwen/qwen3.6-27b|Qwen: Qwen3.6 27B|ri|262144|65536|0.45|2.7|0|0
qwen/qwen3.6-35b-a3b|Qwen: Qwen3.6 35B A3B|ri|262144|235929|0.1|0.9|0.025|0
qwen/qwen3.6-flash|Qwen: Qwen3.6 Flash|ri|1000000|65536|0.1875|1.125|0|0.234375
qwen/qwen3.6-plus|Qwen: Qwen3.6 Plus|ri|1000000|65536|0.325|1.95|0|0.40625
qwen/qwen3.7-flash|Qwen: Qwen3.7 Flash|ri|1000000|65536|0.03|0.13|0.006|0.038
qwen/qwen3.7-max|Qwen: Qwen3.7 Max|r|1000000|131072|1.475|4.425|0.295|1.84375
qwen/qwen3.7-plus|Qwen: Qwen3.7 Plus|ri|1000000|131072|0.32|1.28|0.064|0.4
qwen/qwen3.8-2.4t-a95b|Qwen: Qwen3.8 2.4T A95B|r|1000000|131072|2|6|0.25|0
qwen/qwen3.8-27b|Qwen: Qwen3.8 27B|ri|262144|235929|0.15|1.875|0.0375|0
qwen/qwen3.8-flash|Qwen: Qwen3.8 Flash|ri|1000000|131072|0.15|0.47|0.016|0
qwen/qwen3.8-max-0902|Qwen: Qwen3.8 Max (0902)|ri|1000000|131072|2|6|0.25|0
qwen/qwen3.8-max-prime|Qwen: Qwen3.8 Max Prime|ri|1000000|131072|4|12|0.5|0
qwen/qwen3.8-omni-flash|Qwen: Qwen3.8 Omni Flash|ri|1000000|131072|0.15|0.47|0.016|0
recursive/flint-v1.0:free|Recursive: Flint (free)|r|262144|235929|0|0|0|0
reflection/beam-1.0-501b-a23b|Reflection: Beam 1.0 501B A23B|r|1048576|131072|0.25|1|0.05|0
rekaai/reka-edge|Reka Edge|i|16384|14745|0.1|0.1|0|0
relace/relace-search|Relace: Relace Search||256000|128000|1|3|0|0
sakana/fugu-max|Sakana: Fugu Max|ri|1000000|128000|2|6|0.25|0
sakana/fugu-ultra|Sakana: Fugu Ultra|ri|1000000|128000|5|30|0.5|0
sakana/fugu-ultra-v2|Sakana: Fugu Ultra v2|ri|1000000|128000|5|30|0.5|0
sakana/sakana-namazu|Sakana: Sakana Namazu|ri|262144|65536|0.95|4|0.15|0
stepfun/step-3.5-flash|StepFun: Step 3.5 Flash|r|262144|65536|0.1|0.3|0|0
stepfun/step-3.7-flash|StepFun: Step 3.7 Flash|ri|256000|230400|0.2|1.15|0.04|0
stepfun/step-5-preview|StepFun: Step 5 Preview|ri|1000000|64000|1|2.7|0.1|0
tencent/hy3|Tencent: Hy3|r|262144|128000|0.132|0.528|0.033|0
tencent/hy3-preview|Tencent: Hy3 preview|r|262144|235929|0.18|0.6|0.06|0
tencent/hy4-preview|Tencent: Hy4 preview|r|1048576|64000|0.834|2.501|0.042|0
thinkingmachines/inkling|Thinking Machines: Inkling|ri|524288|471859|1|4.05|0.17|0
thinkingmachines/inkling-small|Thinking Machines: Inkling Small|ri|524288|262144|0.45|1.2|0.1|0
thinkingmachines/inkling-small:free|Thinking Machines: Inkling Small (free)|ri|1048576|262144|0|0|0|0
thinkingmachines/inkling:free|Thinking Machines: Inkling (free)|ri|1048576|262144|0|0|0|0
typesafe/jev-router|TypeSafe: Jev Router|ri|1000000|65536|0|0|0|0
unbiased/pareto-26.10|Pareto 26.10|i|1048576|131072|0.8|3.2|0.03|0
unbiased/pareto-26.9|Pareto 26.9|i|262144|131072|2.5|7.5|0.25|0
upstage/solar-mini4|Upstage: Solar Mini 4|r|524288|131072|0.05|0.2|0.005|0
upstage/solar-pro4|Upstage: Solar Pro 4|r|524288|131072|0.15|0.6|0.03|0
x-ai/grok-4.20|SpaceXAI: Grok 4.20|ri|2000000|1800000|1.25|2.5|0.2|0
x-ai/grok-4.3|SpaceXAI: Grok 4.3|ri|1000000|900000|1.25|2.5|0.2|0
x-ai/grok-4.5|SpaceXAI: Grok 4.5|ri|500000|450000|2|6|0.3|0
x-ai/grok-4.6|SpaceXAI: Grok 4.6|ri|500000|450000|2|6|0.5|0
x-ai/grok-4.7|SpaceXAI: Grok 4.7|ri|500000|450000|2|6|0.5|0
x-ai/grok-build-0.1|SpaceXAI: Grok Build 0.1|ri|256000|230400|1|2|0.2|0
xiaomi/mimo-v2.5|Xiaomi: MiMo-V2.5|ri|1000000|65536|0.4|2|0.08|0
xiaomi/mimo-v2.5-pro|Xiaomi: MiMo-V2.5-Pro|r|262144|235929|0.48|1.8|0.096|0
xiaomi/mimo-v2.6-flash|Xiaomi: MiMo-V2.6-Flash|ri|1048576|131072|0.14|0.28|0.0028|0
xiaomi/mimo-v2.6-pro|Xiaomi: MiMo-V2.6-Pro|ri|1048576|131072|0.435|0.87|0.0036|0
xiaomi/mimo-v2.6-pro-ultraspeed|Xiaomi: MiMo-V2.6-Pro-UltraSpeed|ri|1048576|131072|4.35|8.7|0.036|0
xingchen-agi/xing4.0-29b-a4b:free|XingChen: Xing4.0 29B A4B (free)|r|262144|235929|0|0|0|0
z-ai/glm-4.5|Z.ai: GLM 4.5|r|131072|98304|0.6|2.2|0.11|0
z-ai/glm-4.5-air|Z.ai: GLM 4.5 Air|r|131072|98304|0.13|0.85|0.025|0
z-ai/glm-4.5v|Z.ai: GLM 4.5V|ri|65536|16384|0.6|1.8|0.11|0
z-ai/glm-4.6|Z.ai: GLM 4.6|r|202752|131072|0.5|2|0.1|0
z-ai/glm-4.6v|Z.ai: GLM 4.6V|ri|131072|32768|0.3|0.9|0.055|0
z-ai/glm-4.7|Z.ai: GLM 4.7|r|202752|131072|0.6|2.2|0.11|0
z-ai/glm-4.7-flash|Z.ai: GLM 4.7 Flash|r|131072|117964|0.0605|0.4|0|0
z-ai/glm-5|Z.ai: GLM 5|r|202752|131072|0.6|1.9|0.119|0
z-ai/glm-5-turbo|Z.ai: GLM 5 Turbo|r|202752|131072|1.2|4|0.24|0
z-ai/glm-5.1|Z.ai: GLM 5.1|r|202752|131072|1.4|4.4|0.26|0
z-ai/glm-5.2|Z.ai: GLM 5.2|r|1048576|943718|0.006|6.8|0.005|0
z-ai/glm-5.3|Z.ai: GLM 5.3|r|1048576|943718|0.08|3.6|0.076|0
z-ai/glm-5.3-flash|Z.ai: GLM 5.3 Flash|ri|1048576|131072|0.0285|0.0923|0.0285|0
z-ai/glm-5.3-flashx|Z.ai: GLM 5.3 FlashX|ri|1048576|131072|0.37|1.25|0.09|0
z-ai/glm-5.3-prime|Z.ai: GLM 5.3 Prime|r|1000000|131072|2.8|8.8|0.56|0
z-ai/glm-5v-turbo|Z.ai: GLM 5V Turbo|ri|202752|131072|1.2|4|0.24|0
`,
  "groq": `
llama-3.1-8b-instant|Llama 3.1 8B||131072|131072|0.05|0.08|0|0
llama-3.3-70b-versatile|Llama 3.3 70B||131072|32768|0.59|0.79|0|0
openai/gpt-oss-120b|GPT OSS 120B|r|131072|65536|0.15|0.6|0.075|0
openai/gpt-oss-20b|GPT OSS 20B|r|131072|65536|0.075|0.3|0.0375|0
openai/gpt-oss-safeguard-20b|Safety GPT OSS 20B|r|131072|65536|0.075|0.3|0.0375|0
qwen/qwen3.6-27b|Qwen3.6 27B|ri|131072|16384|0.6|3|0.3|0
qwen/qwen3.8-27b|Qwen3.8 27B|ri|131072|16384|0.8|4|0|0
`,
  "mistral": `
codestral-2508|Codestral 25.08||256000|8192|0.3|0.9|0.03|0
codestral-latest|Codestral||256000|4096|0.3|0.9|0.03|0
deepseek-v4-1-flash-1017|DeepSeek V4.1 Flash 1017|r|1048576|128000|0.3|1.2|0.007|0
devstral-2512|Devstral 2||262144|262144|0.4|2|0.04|0
devstral-latest|Devstral 2||262144|262144|0.4|2|0.04|0
devstral-medium-latest|Devstral 2||262144|262144|0.4|2|0.04|0
glm-5-2|GLM-5.2|r|1048576|131072|1.4|4.4|0.14|0
labs-devstral-small-2512|Devstral Small 2|i|256000|256000|0|0|0|0
labs-leanstral-1-5-1|Leanstral 1.5|ri|262144|128000|0|0|0|0
magistral-medium-latest|Magistral Medium|ri|262144|16384|2|5|0.2|0
ministral-14b-2512|Ministral 3 14B|i|262144|262144|0.2|0.2|0.02|0
ministral-3b-2512|Ministral 3 3B|i|131072|262144|0.1|0.1|0.01|0
ministral-3b-latest|Ministral 3B|i|131072|128000|0.1|0.1|0.01|0
ministral-8b-2512|Ministral 3 8B|i|262144|262144|0.15|0.15|0.015|0
ministral-8b-latest|Ministral 8B|i|262144|128000|0.15|0.15|0.015|0
mistral-large-2512|Mistral Large 3|i|262144|262144|0.5|1.5|0.05|0
mistral-large-4|Mistral Large 4|ri|1048576|262144|0.7|2.1|0.07|0
mistral-large-4-0-8|Mistral Large 4.0.8|ri|1048576|262144|0.7|2.1|0.07|0
mistral-large-latest|Mistral Large|i|262144|262144|0.5|1.5|0.05|0
mistral-medium-2505|Mistral Medium 3|i|131072|131072|0.4|2|0.04|0
mistral-medium-2508|Mistral Medium 3.1|i|262144|262144|0.4|2|0.04|0
mistral-medium-2604|Mistral Medium 3.5|ri|262144|262144|1.5|7.5|0.15|0
mistral-medium-3.5|Mistral Medium 3.5|ri|262144|262144|1.5|7.5|0|0
mistral-medium-latest|Mistral Medium|ri|262144|262144|1.5|7.5|0.15|0
mistral-small-2506|Mistral Small 3.2|i|128000|16384|0.1|0.3|0.01|0
mistral-small-2603|Mistral Small 4|ri|262144|256000|0.15|0.6|0.015|0
mistral-small-latest|Mistral Small|ri|262144|256000|0.15|0.6|0.015|0
open-mistral-nemo|Open Mistral Nemo||128000|128000|0.15|0.15|0.015|0
pixtral-12b|Pixtral 12B|i|128000|128000|0.15|0.15|0.015|0
voxtral-small-2507|Voxtral Small||32768|32000|0.1|0.4|0.01|0
voxtral-small-latest|Voxtral Small||32768|32000|0.1|0.4|0.01|0
zai-glm-5-2|GLM-5.2|r|1048576|131072|1.4|4.4|0.14|0
zai-glm-5-3|GLM-5.3|r|1048576|131072|1.4|4.4|0.14|0
zai-glm-5-3-flash|GLM-5.3-Flash|ri|1048576|131072|0.15|0.5|0.03|0
`,
  "xai": `
grok-4.3|Grok 4.3|ri|1000000|30000|1.25|2.5|0.2|0
grok-4.5|Grok 4.5|ri|500000|500000|2|6|0.3|0
grok-4.6|Grok 4.6|ri|500000|500000|2|6|0.5|0
grok-4.7|Grok 4.7|ri|500000|500000|2|6|0.5|0
`,
  "deepseek": `
deepseek-flash|DeepSeek V4.1 Flash|riz|1000000|384000|0.3|1.2|0.006|0
deepseek-v4-pro|DeepSeek V4 Pro|rz|1000000|384000|1.32|3.96|0.044|0
`,
  "moonshot": `
kimi-k2.6|Kimi K2.6|rizn|262144|262144|0.95|4|0.16|0
kimi-k2.7-code|Kimi K2.7 Code|rizn|262144|262144|0.95|4|0.19|0
kimi-k2.7-code-highspeed|Kimi K2.7 Code HighSpeed|rizn|262144|262144|1.9|8|0.38|0
kimi-k3|Kimi K3|ri|1048576|1048576|3|15|0.3|0
kimi-k3.1-pro|Kimi K3.1 Pro|ri|1048576|1048576|2|10|0.2|0
kimi-k3.1-pro-highspeed|Kimi K3.1 Pro Highspeed|ri|1048576|1048576|4|20|0.2|0
`,
  "zai": `
glm-4.7|GLM-4.7|rzn|204800|131072|0.6|2.2|0.11|0
glm-5-turbo|GLM-5-Turbo|rzn|200000|131072|1.2|4|0.24|0
glm-5.2|GLM-5.2|rz|1000000|131072|1.4|4.4|0.26|0
glm-5.2-highspeed|GLM-5.2 Highspeed|rz|1000000|131072|0|0|0|0
glm-5.3|GLM-5.3|rz|1000000|131072|1.4|4.4|0.26|0
glm-5.3-flash|GLM-5.3-Flash|riz|1000000|131072|0.15|0.5|0.03|0
glm-5.3-highspeed|GLM-5.3 Highspeed|rz|1000000|131072|0|0|0|0
`,
  "cerebras": `
gpt-oss-120b|GPT OSS 120B|r|131072|40960|0.35|0.75|0.35|0
qwen-3.8-27b|Qwen3.8 27B|ri|131072|40960|0.99|1.49|0.99|0
`,
  "together": `
deepseek-ai/DeepSeek-V4-Pro-0813|DeepSeek V4 Pro 0813|r|1048576|384000|1.32|3.96|0.13|0
deepseek-ai/DeepSeek-V4.1-Flash|DeepSeek V4.1 Flash|rin|1048576|384000|0.3|1.2|0.006|0
meta-models/Muse-Spark-Open-816B-A42B|Muse Spark Open|rin|1048576|131072|1.25|4.25|0.15|0
MiniMaxAI/MiniMax-M3|MiniMax-M3|rin|524288|524288|0.3|1.2|0.06|0
moonshotai/Kimi-K3|Kimi K3|rin|1048576|131072|3|15|0.3|0
nvidia/NVIDIA-Nemotron-3.5-Super-VL|Nemotron 3.5 Super VL 120B A12B|rin|262144|262144|0.15|0.5|0.02|0
openai/gpt-oss-120b|GPT OSS 120B|r|131072|131072|0.15|0.6|0|0
Qwen/Qwen3.5-9B|Qwen3.5 9B|rin|262144|65536|0.17|0.25|0|0
Qwen/Qwen3.6-Plus|Qwen3.6 Plus|rn|1000000|65536|0.5|3|0|0
Qwen/Qwen3.7-Max|Qwen3.7 Max|rn|1000000|131072|2.5|7.5|0.5|0
reflection/Beam-1.0-501B-A23B|Beam 1.0 501B A23B|rn|1048576|131072|0.4|1.2|0.04|0
thinkingmachines/Inkling|Inkling|rin|524288|131072|1|4.05|0.17|0
zai-org/GLM-5.2|GLM-5.2|rn|1048575|164000|1.4|4.4|0.26|0
zai-org/GLM-5.3|GLM-5.3|rn|1048575|262144|1.4|4.4|0.26|0
zai-org/GLM-5.3-Flash|GLM-5.3-Flash|rin|1048575|400000|0.15|0.5|0.03|0
`,
  "fireworks": `
accounts/fireworks/models/deepseek-v4p1-flash|DeepSeek V4.1 Flash|ri|1000000|384000|0.3|1.2|0.006|0
accounts/fireworks/models/deepseek-v4p1-flash-1017|DeepSeek V4.1 Flash 1017|ri|1000000|384000|0.3|1.2|0.006|0
accounts/fireworks/models/ember-1|Ember-1|ri|1048576|131072|3|15|0.3|0
accounts/fireworks/models/gpt-oss-120b|GPT OSS 120B|r|131072|32768|0.15|0.6|0.015|0
accounts/fireworks/models/inkling|Inkling|ri|1048576|1048576|1|4.05|0.17|0
accounts/fireworks/models/minimax-m3|MiniMax-M3|r|512000|512000|0.3|1.2|0.06|0
accounts/fireworks/models/minimax-m3p1-flash|MiniMax-M3.1-Flash|ri|1000000|512000|0.15|0.6|0.015|0
accounts/fireworks/models/muse-spark-open|Muse Spark Open|ri|1048576|131072|1.25|4.25|0.15|0
accounts/fireworks/models/nemotron-3-ultra-nvfp4|Nemotron 3 Ultra 550B A55B|r|262144|128000|0.6|2.4|0.12|0
accounts/fireworks/models/nemotron-lightning-3p5-30b-a3b|Nemotron 3.5 Lightning 30B A3B|r|262144|262144|0.05|0.2|0.01|0
accounts/fireworks/models/qwen3p8-2p4t-a95b|Qwen3.8 2.4T A95B|r|262144|131072|2|6|0.25|0
accounts/fireworks/models/qwen3p8-max|Qwen3.8 Max|ri|262144|131072|2|6|0.25|0
accounts/fireworks/routers/deepseek-flash-latest|DeepSeek Flash Latest|ri|1000000|384000|0.3|1.2|0.006|0
accounts/fireworks/routers/deepseek-v4p1-flash-1017-spot|DeepSeek V4.1 Flash 1017 Spot|ri|1000000|384000|0.21|0.84|0.0042|0
accounts/fireworks/routers/deepseek-v4p1-flash-spot|DeepSeek V4.1 Flash Spot|ri|1000000|384000|0.21|0.84|0.0042|0
accounts/fireworks/routers/kimi-fast-latest|Kimi Fast Latest|ri|1048576|131072|4.5|22.5|0.45|0
accounts/fireworks/routers/kimi-latest|Kimi Latest|ri|1048576|131072|3|15|0.3|0
accounts/fireworks/routers/minimax-latest|MiniMax Latest|r|512000|512000|0.3|1.2|0.06|0
accounts/fireworks/routers/qwen-max-latest|Qwen Max Latest (Qwen3.8 Max)|ri|262144|131072|2|6|0.25|0
accounts/fireworks/models/glm-5p3|GLM 5.3|r|1048573|262144|1.4|4.4|0.26|0
accounts/fireworks/models/glm-5p3-flash|GLM 5.3 Flash|ri|1048573|131072|0.15|0.5|0.03|0
accounts/fireworks/models/kimi-k3|Kimi K3|ri|1048576|131072|3|15|0.3|0
accounts/fireworks/routers/glm-5p3-fast|GLM 5.3 Fast|r|1048572|262144|2.1|6.6|0.39|0
accounts/fireworks/routers/glm-5p3-spot|GLM 5.3 Spot|r|1048573|262144|0.98|3.08|0.182|0
accounts/fireworks/routers/glm-fast-latest|GLM 5.3 Fast (Latest)|r|1048572|262144|2.1|6.6|0.39|0
accounts/fireworks/routers/glm-flash-latest|GLM Flash Latest (GLM 5.3 Flash)|ri|1048573|131072|0.15|0.5|0.03|0
accounts/fireworks/routers/glm-latest|GLM Latest|r|1048573|262144|1.4|4.4|0.26|0
accounts/fireworks/routers/kimi-k3-fast|Kimi K3 Fast|ri|1048576|131072|4.5|22.5|0.45|0
accounts/fireworks/routers/kimi-k3-spot|Kimi K3 Spot|ri|1048576|131072|2.1|10.5|0.21|0
`,
  "minimax": `
MiniMax-M2.7|MiniMax-M2.7|r|204800|131072|0.3|1.2|0.06|0.375
MiniMax-M2.7-highspeed|MiniMax-M2.7-highspeed|r|204800|131072|0.6|2.4|0.06|0.375
MiniMax-M3|MiniMax-M3|ri|1000000|524288|0.3|1.2|0.06|0
MiniMax-M3.1-Flash|MiniMax-M3.1-Flash|ri|1000000|524288|0.15|0.6|0.015|0
`,
  "qwen": `
qwen3.6-flash|Qwen3.6 Flash|riqn|1000000|65536
qwen3.6-plus|Qwen3.6 Plus|riqn|1000000|65536
qwen3.7-max|Qwen3.7 Max|rqn|1000000|131072
qwen3.7-plus|Qwen3.7 Plus|riqn|1000000|65536
qwen3.8-flash|Qwen3.8 Flash|riq|1000000|131072
qwen3.8-max|Qwen3.8 Max|riq|1000000|131072
`,
  "amazon-bedrock": `
amazon.nova-2-lite-v1:0|Nova 2 Lite|ri|1000000|65535|0.33|2.75|0.0825|0.33
amazon.nova-lite-v1:0|Nova Lite|i|300000|10000|0.06|0.24|0.015|0.06
amazon.nova-micro-v1:0|Nova Micro||128000|10000|0.035|0.14|0.00875|0.035
amazon.nova-pro-v1:0|Nova Pro|i|300000|10000|0.8|3.2|0.2|0.8
anthropic.claude-fable-5|Claude Fable 5|ri|1000000|128000|10|50|1|12.5
anthropic.claude-fable-5-1|Claude Fable 5.1|ri|1000000|128000|10|50|0.25|12.5
anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5|ri|200000|64000|1|5|0.1|1.25
anthropic.claude-haiku-5-5|Claude Haiku 5.5|ri|1000000|128000|0.1|0.5|0.01|0.125
anthropic.claude-opus-4-1-20250805-v1:0|Claude Opus 4.1|ri|200000|32000|15|75|1.5|18.75
anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5|ri|200000|64000|5|25|0.5|6.25
anthropic.claude-opus-4-6-v1|Claude Opus 4.6|ri|1000000|128000|5.5|27.5|0.55|6.875
anthropic.claude-opus-4-7|Claude Opus 4.7|ri|1000000|128000|5|25|0.5|6.25
anthropic.claude-opus-4-8|Claude Opus 4.8|ri|1000000|128000|5|25|0.5|6.25
anthropic.claude-opus-5-5|Claude Opus 5.5|ri|1000000|128000|4|20|0.2|5
anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5|ri|200000|64000|3|15|0.3|3.75
anthropic.claude-sonnet-4-6|Claude Sonnet 4.6|ri|1000000|128000|3.3|16.5|0.33|4.125
anthropic.claude-sonnet-5|Claude Sonnet 5|ri|1000000|128000|2|10|0.2|2.5
anthropic.claude-sonnet-5-5|Claude Sonnet 5.5|ri|1000000|128000|2|10|0.1|2.5
apac.amazon.nova-lite-v1:0|Nova Lite (APAC)|i|300000|10000|0.063|0.252|0.01575|0.063
apac.amazon.nova-micro-v1:0|Nova Micro (APAC)||128000|10000|0.037|0.148|0.00925|0.037
apac.amazon.nova-pro-v1:0|Nova Pro (APAC)|i|300000|10000|0.84|3.36|0.21|0.84
apac.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (APAC)|ri|200000|64000|3|15|0.3|3.75
au.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (AU)|ri|200000|64000|1.1|5.5|0.11|1.375
au.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (AU)|ri|1000000|128000|0.11|0.55|0.011|0.1375
au.anthropic.claude-opus-4-6-v1|AU Anthropic Claude Opus 4.6|ri|1000000|128000|5.5|27.5|0.55|6.875
au.anthropic.claude-opus-4-7|Claude Opus 4.7 (AU)|ri|1000000|128000|5.5|27.5|0.55|6.875
au.anthropic.claude-opus-4-8|Claude Opus 4.8 (AU)|ri|1000000|128000|5.5|27.5|0.55|6.875
au.anthropic.claude-opus-5|Claude Opus 5 (AU)|ri|1000000|128000|5.5|27.5|0.55|6.875
au.anthropic.claude-opus-5-5|Claude Opus 5.5 (AU)|ri|1000000|128000|4.4|22|0.22|5.5
au.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (AU)|ri|200000|64000|3.3|16.5|0.33|4.125
au.anthropic.claude-sonnet-4-6|AU Anthropic Claude Sonnet 4.6|ri|1000000|128000|3.3|16.5|0.33|4.125
au.anthropic.claude-sonnet-5|Claude Sonnet 5 (AU)|ri|1000000|128000|2.2|11|0.22|2.75
au.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (AU)|ri|1000000|128000|2.2|11|0.11|2.75
ca.amazon.nova-lite-v1:0|Nova Lite (CA)|i|300000|10000|0.064|0.256|0.016|0.064
deepseek.v3-v1:0|DeepSeek-V3.1|r|163840|81920|0.58|1.68|0|0
deepseek.v3.2|DeepSeek V3.2|r|163840|81920|0.62|1.85|0|0
eu.amazon.nova-2-lite-v1:0|Nova 2 Lite (EU)|ri|1000000|65535|0.374|3.157|0.0935|0.374
eu.amazon.nova-lite-v1:0|Nova Lite (EU)|i|300000|10000|0.069|0.276|0.01725|0.069
eu.amazon.nova-micro-v1:0|Nova Micro (EU)||128000|10000|0.04|0.16|0.01|0.04
eu.amazon.nova-pro-v1:0|Nova Pro (EU)|i|300000|10000|0.92|3.68|0.23|0.92
eu.anthropic.claude-fable-5|Claude Fable 5 (EU)|ri|1000000|128000|11|55|1.1|13.75
eu.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (EU)|ri|200000|64000|1.1|5.5|0.11|1.375
eu.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (EU)|ri|1000000|128000|0.11|0.55|0.011|0.1375
eu.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (EU)|ri|200000|64000|5.5|27.5|0.55|6.875
eu.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (EU)|ri|1000000|128000|5.5|27.5|0.55|6.875
eu.anthropic.claude-opus-4-7|Claude Opus 4.7 (EU)|ri|1000000|128000|5.5|27.5|0.55|6.875
eu.anthropic.claude-opus-4-8|Claude Opus 4.8 (EU)|ri|1000000|128000|5.5|27.5|0.55|6.875
eu.anthropic.claude-opus-5|Claude Opus 5 (EU)|ri|1000000|128000|5.5|27.5|0.55|6.875
eu.anthropic.claude-opus-5-5|Claude Opus 5.5 (EU)|ri|1000000|128000|4.4|22|0.22|5.5
eu.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (EU)|ri|200000|64000|3|15|0.3|3.75
eu.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (EU)|ri|200000|64000|3.3|16.5|0.33|4.125
eu.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (EU)|ri|1000000|128000|3.3|16.5|0.33|4.125
eu.anthropic.claude-sonnet-5|Claude Sonnet 5 (EU)|ri|1000000|128000|2.2|11|0.22|2.75
eu.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (EU)|ri|1000000|128000|2.2|11|0.11|2.75
eu.mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02) (EU)|i|128000|8192|2|6|0|0
global.amazon.nova-2-lite-v1:0|Nova 2 Lite (Global)|ri|1000000|65535|0.3|2.5|0.075|0.3
global.anthropic.claude-fable-5|Claude Fable 5 (Global)|ri|1000000|128000|10|50|1|12.5
global.anthropic.claude-fable-5-1|Claude Fable 5.1 (Global)|ri|1000000|128000|10|50|0.25|12.5
global.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (Global)|ri|200000|64000|1|5|0.1|1.25
global.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (Global)|ri|1000000|128000|0.1|0.5|0.01|0.125
global.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (Global)|ri|200000|64000|5|25|0.5|6.25
global.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (Global)|ri|1000000|128000|5|25|0.5|6.25
global.anthropic.claude-opus-4-7|Claude Opus 4.7 (Global)|ri|1000000|128000|5|25|0.5|6.25
global.anthropic.claude-opus-4-8|Claude Opus 4.8 (Global)|ri|1000000|128000|5|25|0.5|6.25
global.anthropic.claude-opus-5|Claude Opus 5 (Global)|ri|1000000|128000|5|25|0.5|6.25
global.anthropic.claude-opus-5-5|Claude Opus 5.5 (Global)|ri|1000000|128000|4|20|0.2|5
global.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (Global)|ri|200000|64000|3|15|0.3|3.75
global.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (Global)|ri|200000|64000|3|15|0.3|3.75
global.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (Global)|ri|1000000|128000|3|15|0.3|3.75
global.anthropic.claude-sonnet-5|Claude Sonnet 5 (Global)|ri|1000000|128000|2|10|0.2|2.5
global.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (Global)|ri|1000000|128000|2|10|0.1|2.5
global.moonshotai.kimi-k3|Kimi K3 (Global)|ri|1048576|128000|3|15|0.3|3.75
global.openai.gpt-5.6-luna|GPT-5.6 Luna (Global)|ri|1050000|128000|0.2|1.2|0.02|0.25
global.openai.gpt-5.6-sol|GPT-5.6 Sol (Global)|ri|1050000|128000|4|20|0.4|5
global.openai.gpt-5.6-terra|GPT-5.6 Terra (Global)|ri|1050000|128000|2|12|0.2|2.5
global.openai.gpt-6-astra|GPT-6 Astra (Global)|ri|1050000|128000|10|50|1|12.5
global.openai.gpt-6-luna|GPT-6 Luna (Global)|ri|1050000|128000|0.1|0.5|0.01|0.125
global.openai.gpt-6-sol|GPT-6 Sol (Global)|ri|1050000|128000|2|10|0.2|2.5
global.openai.gpt-6.1-sol|GPT-6.1 Sol (Global)|ri|1050000|128000|2|10|0.1|2.5
global.openai.gpt-6.1-terra|GPT-6.1 Terra (Global)|ri|1050000|128000|1|5|0.05|1.25
global.xai.grok-4.6|Grok 4.6 (Global)|ri|500000|500000|2|6|0.5|0
global.xai.grok-4.7|Grok 4.7 (Global)|ri|500000|500000|2|6|0.5|0
global.zai.glm-5.3|GLM-5.3 (Global)|r|1000000|128000|1.68|5.28|0.312|2.1
google.gemma-4-26b-a4b|Gemma 4 26B A4B IT|ri|262144|32768|0.13|0.4|0|0
google.gemma-4-31b|Gemma 4 31B IT|ri|262144|32768|0.14|0.4|0|0
google.gemma-4-e2b|Gemma 4 E2B IT|ri|131072|8192|0.04|0.08|0|0
in.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (India)|ri|200000|64000|1.1|5.5|0.11|1.375
in.anthropic.claude-opus-5|Claude Opus 5 (India)|ri|1000000|128000|5.5|27.5|0.55|6.875
in.anthropic.claude-sonnet-5|Claude Sonnet 5 (India)|ri|1000000|128000|2.2|11|0.22|2.75
in.openai.gpt-5.6-luna|GPT-5.6 Luna (India)|ri|1050000|128000|0.22|1.32|0.022|0.275
in.openai.gpt-5.6-terra|GPT-5.6 Terra (India)|ri|1050000|128000|2.2|13.2|0.22|2.75
jp.amazon.nova-2-lite-v1:0|Nova 2 Lite (JP)|ri|1000000|65535|0.396|3.311|0.099|0.396
jp.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (JP)|ri|200000|64000|1.1|5.5|0.11|1.375
jp.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (JP)|ri|1000000|128000|0.11|0.55|0.011|0.1375
jp.anthropic.claude-opus-4-7|Claude Opus 4.7 (JP)|ri|1000000|128000|5.5|27.5|0.55|6.875
jp.anthropic.claude-opus-4-8|Claude Opus 4.8 (JP)|ri|1000000|128000|5.5|27.5|0.55|6.875
jp.anthropic.claude-opus-5|Claude Opus 5 (JP)|ri|1000000|128000|5.5|27.5|0.55|6.875
jp.anthropic.claude-opus-5-5|Claude Opus 5.5 (JP)|ri|1000000|128000|4.4|22|0.22|5.5
jp.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (JP)|ri|200000|64000|3.3|16.5|0.33|4.125
jp.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (JP)|ri|1000000|128000|3.3|16.5|0.33|4.125
jp.anthropic.claude-sonnet-5|Claude Sonnet 5 (JP)|ri|1000000|128000|2.2|11|0.22|2.75
meta.llama3-1-70b-instruct-v1:0|Llama 3.1 70B Instruct||128000|4096|0.72|0.72|0|0
meta.llama3-1-8b-instruct-v1:0|Llama 3.1 8B Instruct||128000|4096|0.22|0.22|0|0
meta.llama3-3-70b-instruct-v1:0|Llama 3.3 70B Instruct||128000|4096|0.72|0.72|0|0
meta.llama4-maverick-17b-instruct-v1:0|Llama 4 Maverick 17B Instruct|i|1000000|8192|0.24|0.97|0|0
meta.llama4-scout-17b-instruct-v1:0|Llama 4 Scout 17B Instruct|i|10000000|8192|0.17|0.66|0|0
minimax.minimax-m2|MiniMax-M2|r|204608|128000|0.3|1.2|0|0
minimax.minimax-m2.1|MiniMax-M2.1|r|196608|131072|0.3|1.2|0|0
minimax.minimax-m2.5|MiniMax-M2.5|r|196608|98304|0.3|1.2|0|0
mistral.devstral-2-123b|Devstral 2 123B||262144|8192|0.4|2|0|0
mistral.magistral-small-2509|Magistral Small 1.2|ri|128000|40000|0.5|1.5|0|0
mistral.ministral-3-14b-instruct|Ministral 14B 3.0|i|128000|4096|0.2|0.2|0|0
mistral.ministral-3-3b-instruct|Ministral 3 3B|i|256000|8192|0.1|0.1|0|0
mistral.ministral-3-8b-instruct|Ministral 3 8B|i|128000|4096|0.15|0.15|0|0
mistral.mistral-large-3-675b-instruct|Mistral Large 3|i|262144|8192|0.5|1.5|0|0
mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02)|i|128000|8192|2|6|0|0
mistral.voxtral-mini-3b-2507|Voxtral Mini 3B 2507||32768|4096|0.04|0.04|0|0
mistral.voxtral-small-24b-2507|Voxtral Small 24B 2507||32768|8192|0.1|0.3|0|0
moonshot.kimi-k2-thinking|Kimi K2 Thinking|r|262144|16000|0.6|2.5|0|0
moonshotai.kimi-k2.5|Kimi K2.5|ri|262144|16384|0.6|3|0|0
nvidia.nemotron-nano-12b-v2|NVIDIA Nemotron Nano 12B v2 VL BF16|i|131072|8192|0.2|0.6|0|0
nvidia.nemotron-nano-3-30b|NVIDIA Nemotron Nano 3 30B|r|262144|8192|0.06|0.24|0|0
nvidia.nemotron-nano-9b-v2|NVIDIA Nemotron Nano 9B v2||131072|8192|0.06|0.23|0|0
nvidia.nemotron-super-3-120b|NVIDIA Nemotron 3 Super 120B A12B|r|262144|131072|0.15|0.65|0|0
openai.gpt-5.4|GPT-5.4|ri|1000000|128000|2.75|16.5|0.275|0
openai.gpt-5.5|GPT-5.5|ri|1000000|128000|5.5|33|0.55|0
openai.gpt-5.6-luna|GPT-5.6 Luna|ri|1050000|128000|0.22|1.32|0.022|0.275
openai.gpt-5.6-sol|GPT-5.6 Sol|ri|1050000|128000|4.4|22|0.44|5.5
openai.gpt-5.6-terra|GPT-5.6 Terra|ri|1050000|128000|2.2|13.2|0.22|2.75
openai.gpt-6-astra|GPT-6 Astra|ri|1050000|128000|11|55|1.1|13.75
openai.gpt-6-luna|GPT-6 Luna|ri|1050000|128000|0.11|0.55|0.011|0.1375
openai.gpt-6-sol|GPT-6 Sol|ri|1050000|128000|2.2|11|0.22|2.75
openai.gpt-6.1-sol|GPT-6.1 Sol|ri|1050000|128000|2.2|11|0.11|2.75
openai.gpt-6.1-terra|GPT-6.1 Terra|ri|1050000|128000|1.1|5.5|0.055|1.375
openai.gpt-oss-120b|gpt-oss-120b|r|131072|131072|0.15|0.6|0|0
openai.gpt-oss-120b-1:0|gpt-oss-120b|r|131072|128000|0.15|0.6|0|0
openai.gpt-oss-20b|gpt-oss-20b|r|131072|131072|0.07|0.3|0|0
openai.gpt-oss-20b-1:0|gpt-oss-20b|r|131072|128000|0.07|0.3|0|0
openai.gpt-oss-safeguard-120b|GPT OSS Safeguard 120B|r|128000|16384|0.15|0.6|0|0
openai.gpt-oss-safeguard-20b|GPT OSS Safeguard 20B|r|128000|16384|0.07|0.2|0|0
qwen.qwen3-235b-a22b-2507-v1:0|Qwen3 235B-A22B Instruct 2507||262144|131072|0.22|0.88|0|0
qwen.qwen3-32b-v1:0|Qwen3 32B|r|32768|16384|0.15|0.6|0|0
qwen.qwen3-coder-30b-a3b-v1:0|Qwen3-Coder 30B-A3B Instruct||262144|131072|0.15|0.6|0|0
qwen.qwen3-coder-480b-a35b-v1:0|Qwen3-Coder 480B-A35B Instruct||131072|65536|0.45|1.8|0|0
qwen.qwen3-coder-next|Qwen3 Coder Next||262144|65536|0.5|1.2|0|0
qwen.qwen3-next-80b-a3b|Qwen3-Next 80B-A3B Instruct||262144|262000|0.15|1.2|0|0
qwen.qwen3-vl-235b-a22b|Qwen3 VL 235B A22B Instruct|i|262144|262000|0.53|2.66|0|0
us-gov.openai.gpt-oss-120b-1:0|gpt-oss-120b (GovCloud)|r|128000|16384|0.18|0.72|0|0
us-gov.openai.gpt-oss-20b-1:0|gpt-oss-20b (GovCloud)|r|128000|16384|0.084|0.36|0|0
us.amazon.nova-2-lite-v1:0|Nova 2 Lite (US)|ri|1000000|65535|0.33|2.75|0.0825|0.33
us.amazon.nova-lite-v1:0|Nova Lite (US)|i|300000|10000|0.06|0.24|0.015|0.06
us.amazon.nova-micro-v1:0|Nova Micro (US)||128000|10000|0.035|0.14|0.00875|0.035
us.amazon.nova-premier-v1:0|Nova Premier (US)|i|1000000|10000|2.5|12.5|0.625|2.5
us.amazon.nova-pro-v1:0|Nova Pro (US)|i|300000|10000|0.8|3.2|0.2|0.8
us.anthropic.claude-fable-5|Claude Fable 5 (US)|ri|1000000|128000|11|55|1.1|13.75
us.anthropic.claude-fable-5-1|Claude Fable 5.1 (US)|ri|1000000|128000|11|55|0.275|13.75
us.anthropic.claude-haiku-4-5-20251001-v1:0|Claude Haiku 4.5 (US)|ri|200000|64000|1.1|5.5|0.11|1.375
us.anthropic.claude-haiku-5-5|Claude Haiku 5.5 (US)|ri|1000000|128000|0.11|0.55|0.011|0.1375
us.anthropic.claude-opus-4-1-20250805-v1:0|Claude Opus 4.1 (US)|ri|200000|32000|15|75|1.5|18.75
us.anthropic.claude-opus-4-5-20251101-v1:0|Claude Opus 4.5 (US)|ri|200000|64000|5.5|27.5|0.55|6.875
us.anthropic.claude-opus-4-6-v1|Claude Opus 4.6 (US)|ri|1000000|128000|5.5|27.5|0.55|6.875
us.anthropic.claude-opus-4-7|Claude Opus 4.7 (US)|ri|1000000|128000|5.5|27.5|0.55|6.875
us.anthropic.claude-opus-4-8|Claude Opus 4.8 (US)|ri|1000000|128000|5.5|27.5|0.55|6.875
us.anthropic.claude-opus-5|Claude Opus 5 (US)|ri|1000000|128000|5.5|27.5|0.55|6.875
us.anthropic.claude-opus-5-5|Claude Opus 5.5 (US)|ri|1000000|128000|4.4|22|0.22|5.5
us.anthropic.claude-sonnet-4-20250514-v1:0|Claude Sonnet 4 (US)|ri|200000|64000|3|15|0.3|3.75
us.anthropic.claude-sonnet-4-5-20250929-v1:0|Claude Sonnet 4.5 (US)|ri|200000|64000|3.3|16.5|0.33|4.125
us.anthropic.claude-sonnet-4-6|Claude Sonnet 4.6 (US)|ri|1000000|128000|3.3|16.5|0.33|4.125
us.anthropic.claude-sonnet-5|Claude Sonnet 5 (US)|ri|1000000|128000|2.2|11|0.22|2.75
us.anthropic.claude-sonnet-5-5|Claude Sonnet 5.5 (US)|ri|1000000|128000|2.2|11|0.11|2.75
us.meta.llama3-1-70b-instruct-v1:0|Llama 3.1 70B Instruct (US)||128000|4096|0.72|0.72|0|0
us.meta.llama3-1-8b-instruct-v1:0|Llama 3.1 8B Instruct (US)||128000|4096|0.22|0.22|0|0
us.meta.llama3-3-70b-instruct-v1:0|Llama 3.3 70B Instruct (US)||128000|4096|0.72|0.72|0|0
us.meta.llama4-maverick-17b-instruct-v1:0|Llama 4 Maverick 17B Instruct (US)|i|1000000|8192|0.24|0.97|0|0
us.meta.llama4-scout-17b-instruct-v1:0|Llama 4 Scout 17B Instruct (US)|i|10000000|8192|0.17|0.66|0|0
us.mistral.pixtral-large-2502-v1:0|Pixtral Large (25.02) (US)|i|128000|8192|2|6|0|0
us.moonshotai.kimi-k3|Kimi K3 (US)|ri|1048576|128000|3.3|16.5|0.33|4.125
us.openai.gpt-5.6-luna|GPT-5.6 Luna (US)|ri|1050000|128000|0.22|1.32|0.022|0.275
us.openai.gpt-5.6-sol|GPT-5.6 Sol (US)|ri|1050000|128000|4.4|22|0.44|5.5
us.openai.gpt-5.6-terra|GPT-5.6 Terra (US)|ri|1050000|128000|2.2|13.2|0.22|2.75
us.openai.gpt-6-astra|GPT-6 Astra (US)|ri|1050000|128000|11|55|1.1|13.75
us.openai.gpt-6-luna|GPT-6 Luna (US)|ri|1050000|128000|0.11|0.55|0.011|0.1375
us.openai.gpt-6-sol|GPT-6 Sol (US)|ri|1050000|128000|2.2|11|0.22|2.75
us.openai.gpt-6.1-sol|GPT-6.1 Sol (US)|ri|1050000|128000|2.2|11|0.11|2.75
us.openai.gpt-6.1-terra|GPT-6.1 Terra (US)|ri|1050000|128000|1.1|5.5|0.055|1.375
us.writer.palmyra-x4-v1:0|Palmyra X4 (US)|r|122880|8192|2.5|10|0|0
us.writer.palmyra-x5-v1:0|Palmyra X5 (US)|r|1040000|8192|0.6|6|0|0
us.xai.grok-4.6|Grok 4.6 (US)|ri|500000|500000|2.2|6.6|0.55|0
us.xai.grok-4.7|Grok 4.7 (US)|ri|500000|500000|2.2|6.6|0.55|0
us.zai.glm-5.3|GLM-5.3 (US)|r|1000000|128000|1.848|5.808|0.3432|2.31
writer.palmyra-x4-v1:0|Palmyra X4|r|122880|8192|2.5|10|0|0
writer.palmyra-x5-v1:0|Palmyra X5|r|1040000|8192|0.6|6|0|0
xai.grok-4.3|Grok 4.3|ri|1000000|131072|1.25|2.5|0.2|0
xai.grok-4.6|Grok 4.6|ri|500000|500000|2.2|6.6|0.55|0
zai.glm-4.7|GLM-4.7|r|202752|131072|0.6|2.2|0|0
zai.glm-4.7-flash|GLM-4.7-Flash|r|202752|131072|0.07|0.4|0|0
zai.glm-5|GLM-5|r|202752|131072|1|3.2|0|0
`,
  "github-copilot": `
claude-fable-5|Claude Fable 5|ri|1000000|128000|10|50|1|12.5
claude-fable-5.1|Claude Fable 5.1|ri|1000000|128000|10|50|0.25|12.5
claude-haiku-4.5|Claude Haiku 4.5|ri|200000|64000|1|5|0.1|1.25
claude-haiku-5.5|Claude Haiku 5.5|ri|1000000|128000|0.1|0.5|0.01|0.125
claude-opus-4.8|Claude Opus 4.8|ri|1000000|64000|5|25|0.5|6.25
claude-opus-5|Claude Opus 5|ri|1000000|64000|5|25|0.5|6.25
claude-opus-5.5|Claude Opus 5.5|ri|1000000|128000|4|20|0.2|5
claude-sonnet-4.6|Claude Sonnet 4.6|ri|1000000|32000|3|15|0.3|3.75
claude-sonnet-5|Claude Sonnet 5|ri|1000000|128000|2|10|0.2|2.5
claude-sonnet-5.5|Claude Sonnet 5.5|ri|1000000|128000|2|10|0.1|2.5
gemini-3.8-flash|Gemini 3.8 Flash|rin|1000000|64000|0.75|3.75|0.075|0
gemini-4-argon|Gemini 4 Argon|rin|1048576|65536|2|10|0.1|0
kimi-k3|Kimi K3|rin|1048576|131072|3|15|0.3|0
gpt-5.3-codex|GPT-5.3 Codex|ri|1000000|128000|1.75|14|0.175|0
gpt-5.4-nano|GPT-5.4 nano|ri|400000|128000|0.2|1.25|0.02|0
gpt-5.6-luna|GPT-5.6 Luna|ri|1050000|128000|0.2|1.2|0.02|0.25
gpt-5.6-sol|GPT-5.6 Sol|ri|1050000|128000|4|20|0.4|5
gpt-5.6-terra|GPT-5.6 Terra|ri|1050000|128000|2|12|0.2|2.5
gpt-6-astra|GPT-6 Astra|ri|1000000|128000|10|50|1|12.5
gpt-6-luna|GPT-6 Luna|ri|1000000|128000|0.1|0.5|0.01|0.125
gpt-6-sol|GPT-6 Sol|ri|1000000|128000|2|10|0.2|2.5
gpt-6.1-sol|GPT-6.1 Sol|ri|1050000|128000|2|10|0.1|2.5
gpt-6.1-terra|GPT-6.1 Terra|ri|1050000|128000|1|5|0.05|1.25
grok-4.5|Grok 4.5|ri|500000|128000|2|6|0.5|0
grok-4.6|Grok 4.6|ri|500000|128000|2|6|0.5|0
grok-4.7|Grok 4.7|ri|500000|128000|2|6|0.5|0
mai-code-1.1-flash|MAI-Code-1.1-Flash|ri|256000|128000|0.2|1.2|0.02|0
`,
  "openai-codex": `
gpt-5.6-luna|GPT-5.6 Luna|ri|272000|128000
gpt-5.6-sol|GPT-5.6 Sol|ri|272000|128000
gpt-5.6-terra|GPT-5.6 Terra|ri|272000|128000
gpt-6-astra|GPT-6 Astra|ri|272000|128000
gpt-6-luna|GPT-6 Luna|ri|272000|128000
gpt-6-sol|GPT-6 Sol|ri|272000|128000
gpt-6.1-sol|GPT-6.1 Sol|ri|500000|128000
gpt-6.1-terra|GPT-6.1 Terra|ri|500000|128000
`,
};
