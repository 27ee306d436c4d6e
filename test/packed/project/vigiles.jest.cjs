const vigiles = require("vigiles");
require("vigiles/jest");

test("the native part answers", () => {
  expect(vigiles.coreVersion()).toMatch(/^\d+\.\d+\.\d+/);
});
