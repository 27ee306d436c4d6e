import hooksC1Buffers500 from "./hooks-c1-500mb-buffers.mjs";
import hooksC1Heap20 from "./hooks-c1-20mb.mjs";
import hooksC1Heap500 from "./hooks-c1-500mb.mjs";
import hooksC4Buffers500 from "./hooks-c4-500mb-buffers.mjs";
import hooksC4Heap20 from "./hooks-c4-20mb.mjs";
import hooksC4Heap500 from "./hooks-c4-500mb.mjs";
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
];
