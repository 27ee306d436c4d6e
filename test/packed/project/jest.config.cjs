module.exports = { testMatch: ["<rootDir>/*.jest.cjs"], transform: {} };
