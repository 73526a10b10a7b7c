// `node -r` loads this before anything else. It uses old syntax, so that every version of Node can print the message.
var version = process.versions.node.split(".");
var major = Number(version[0]);
var minor = Number(version[1]);
var isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);

if (!isSupported) {
  console.error(
    "Engawa needs Node.js 20.19 or newer (for version 22: 22.12 or newer), but this is " +
      process.versions.node +
      ". Install a newer version from https://nodejs.org and run the command again.",
  );
  process.exit(1);
}
