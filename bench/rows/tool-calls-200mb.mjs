import { LARGE_STREAM } from "../generate.mjs";
import { plainToolCalls, vigilesToolCalls } from "../lib/sides.mjs";
import { eachEvent } from "../peers/lines.mjs";

export default {
  name: "tool-calls-200mb",
  title: "metadata of all tool calls of the 200 MB stream",
  file: LARGE_STREAM,
  ours: vigilesToolCalls(LARGE_STREAM),
  peers: { chunks: plainToolCalls(LARGE_STREAM, eachEvent) },
  bars: { chunks: 4 },
};
