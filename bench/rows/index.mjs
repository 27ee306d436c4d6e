import harnessOldC1 from "./harness-2.1.197-c1.mjs";
import harnessOldC6 from "./harness-2.1.197-c6.mjs";
import harnessC1 from "./harness-2.1.332-c1.mjs";
import harnessC6 from "./harness-2.1.332-c6.mjs";
import confinedClaude from "./confined-claude.mjs";
import confinedScript from "./confined-script.mjs";
import hooksC1Buffers500 from "./hooks-c1-500mb-buffers.mjs";
import hooksC1Heap20 from "./hooks-c1-20mb.mjs";
import hooksC1Heap500 from "./hooks-c1-500mb.mjs";
import hooksC4Buffers500 from "./hooks-c4-500mb-buffers.mjs";
import hooksC4Heap20 from "./hooks-c4-20mb.mjs";
import hooksC4Heap500 from "./hooks-c4-500mb.mjs";
import modelC16Kb15 from "./model-c16-15kb.mjs";
import modelC16Kb115 from "./model-c16-115kb.mjs";
import modelC16Kb35 from "./model-c16-35kb.mjs";
import modelC16Kb85 from "./model-c16-85kb.mjs";
import modelC1Kb15 from "./model-c1-15kb.mjs";
import modelC1Kb115 from "./model-c1-115kb.mjs";
import modelC1Kb35 from "./model-c1-35kb.mjs";
import modelC1Kb85 from "./model-c1-85kb.mjs";
import largeStream from "./stream-200mb.mjs";
import smallStream from "./stream-70kb.mjs";
import toolCalls from "./tool-calls-200mb.mjs";

/** Every row, in the order of the table. */
export const rows = [
  largeStream,
  toolCalls,
  smallStream,
  hooksC1Heap20,
  hooksC4Heap20,
  hooksC1Heap500,
  hooksC4Heap500,
  hooksC1Buffers500,
  hooksC4Buffers500,
  modelC1Kb15,
  modelC16Kb15,
  modelC1Kb35,
  modelC16Kb35,
  modelC1Kb85,
  modelC16Kb85,
  modelC1Kb115,
  modelC16Kb115,
  harnessC1,
  harnessC6,
  harnessOldC1,
  harnessOldC6,
  confinedScript,
  confinedClaude,
];
