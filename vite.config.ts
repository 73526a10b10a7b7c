import { reactRouter } from "@react-router/dev/vite";
import { defineConfig, type Plugin } from "vite";

/** React Router names its one server entry itself; ours are several, each keeping its own name. */
const namedServerEntries: Plugin = {
  name: "engawa:named-server-entries",
  applyToEnvironment: (environment) => environment.name === "ssr",
  outputOptions: (options) => ({
    ...options,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  }),
};

export default defineConfig({
  plugins: [reactRouter(), namedServerEntries],
  environments: {
    ssr: {
      build: {
        sourcemap: true,
        rollupOptions: { input: { server: "app/server.ts", application: "app/application.server.ts" } },
      },
    },
  },
});
