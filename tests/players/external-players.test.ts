import { playInOtherPlayers } from "#tests/support/watching/other-players.ts";

/** A film in ffmpeg, mpv and VLC. tests/release plays more. */

await playInOtherPlayers({ isWhole: false });
