import { testHostileFeeds } from "#tests/support/scaled/hostile-feeds.ts";

/** Every attack from every kind of feed. tests/system has two attacks from one kind. */

testHostileFeeds(
  "hostile feeds of every kind change neither the site nor its titles, and the page says what is wrong",
  () => true,
);
