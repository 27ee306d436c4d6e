import { SMALL_STREAM } from "../generate.mjs";
import { plainChecks, vigilesChecks } from "../lib/sides.mjs";
import { eachEvent, eachEventOfSplitFile } from "../peers/lines.mjs";

export default {
  name: "stream-70kb",
  title: "70 KB stream-json + 10 checks, warm",
  file: SMALL_STREAM,
  warm: { warmup: 500, iterations: 1000 },
  ours: vigilesChecks(SMALL_STREAM),
  peers: {
    chunks: plainChecks(SMALL_STREAM, eachEvent),
    split: plainChecks(SMALL_STREAM, eachEventOfSplitFile),
  },
  // At this size either reader may be the faster one; both have to be beaten.
  bars: { chunks: 2.5, split: 2.5 },
};
