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
import modelC16Kb200 from "./model-c16-200kb.mjs";
import modelC16Kb50 from "./model-c16-50kb.mjs";
import modelC1Kb15 from "./model-c1-15kb.mjs";
import modelC1Kb200 from "./model-c1-200kb.mjs";
import modelC1Kb50 from "./model-c1-50kb.mjs";
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
  modelC1Kb50,
  modelC16Kb50,
  modelC1Kb200,
  modelC16Kb200,
  harnessC1,
  harnessC6,
  harnessOldC1,
  harnessOldC6,
  confinedScript,
  confinedClaude,
];
