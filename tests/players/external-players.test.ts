import { playInOtherPlayers } from "#tests/support/watching/other-players.ts";

/** Two films in ffmpeg, mpv and VLC. tests/release plays more. */

await playInOtherPlayers({ isWhole: false });
