// Loaded before anything else (`node -r`), and written so that any Node ever released can read it.
var version = process.versions.node.split(".");
var major = Number(version[0]);
var minor = Number(version[1]);
var isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);

if (!isSupported) {
  console.error(
    "Engawa needs Node.js 20.19 or newer (of 22: 22.12 or newer), and this is " +
      process.versions.node +
      ". Install a newer one from https://nodejs.org and type the command again.",
  );
  process.exit(1);
}
