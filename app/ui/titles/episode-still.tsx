import type { EpisodeItem } from "./episode-list.tsx";

/**
 * Hides a still that cannot be fetched, so that its row looks like a row without one. A still may also have failed
 * before this script ran.
 */
export const EpisodeStill = ({ still }: Pick<EpisodeItem, "still">) =>
  still && (
    <img
      className="episode-still"
      src={still}
      width={96}
      height={54}
      alt=""
      loading="lazy"
      decoding="async"
      ref={(picture) => {
        if (picture?.complete && picture.naturalWidth === 0) picture.hidden = true;
      }}
      onError={({ currentTarget: picture }) => {
        picture.hidden = true;
      }}
    />
  );
