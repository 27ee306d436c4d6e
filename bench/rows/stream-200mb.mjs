import { LARGE_STREAM } from "../generate.mjs";
import { plainChecks, vigilesChecks } from "../lib/sides.mjs";
import { eachEvent, eachEventOfSplitFile } from "../peers/lines.mjs";

export default {
  name: "stream-200mb",
  title: "200 MB stream-json + 10 checks",
  file: LARGE_STREAM,
  floor: true,
  ours: vigilesChecks(LARGE_STREAM),
  peers: {
    chunks: plainChecks(LARGE_STREAM, eachEvent),
    split: plainChecks(LARGE_STREAM, eachEventOfSplitFile),
  },
  bars: { chunks: 8, split: 15 },
  peakRssBar: 1.2,
};
