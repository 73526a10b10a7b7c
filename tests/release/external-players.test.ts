import { playInOtherPlayers } from "#tests/support/watching/other-players.ts";

/** Every film of the table in ffmpeg, mpv and VLC. tests/players plays some of them at each change. */

await playInOtherPlayers({ isWhole: true });
