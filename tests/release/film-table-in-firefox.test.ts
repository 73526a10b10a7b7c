import { watchFilms } from "#tests/support/watching/watch-films.ts";

watchFilms("firefox", () => true);
