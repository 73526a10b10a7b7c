import { type RefObject, useEffect } from "react";
import { progressApiPath } from "#app/paths.ts";
import { saveResumePoint } from "./player-memory.ts";

/** Reports the position while playing, at a pause and on leaving: to the server, or for visitors to the browser. */

const reportEverySeconds = 10;

type Reports = { malId: number; episode: number; isMember: boolean };

export function useProgressReports(
  video: RefObject<HTMLVideoElement | null>,
  { malId, episode, isMember }: Reports,
) {
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    let reported = -1;
    const report = () => {
      const { currentTime: position, duration } = element;
      if (!Number.isFinite(duration) || position < 1 || Math.abs(position - reported) < 1) return;
      reported = position;
      if (isMember) send({ mal_id: malId, ep: episode, position, duration, at: new Date().toISOString() });
      else saveResumePoint(malId, episode, position);
    };
    const onTime = () => {
      if (Math.abs(element.currentTime - reported) >= reportEverySeconds && !element.seeking) report();
    };
    const onHidden = () => {
      if (document.visibilityState === "hidden") report();
    };
    element.addEventListener("timeupdate", onTime);
    element.addEventListener("pause", report);
    element.addEventListener("ended", report);
    document.addEventListener("visibilitychange", onHidden);
    addEventListener("pagehide", report);
    return () => {
      report();
      element.removeEventListener("timeupdate", onTime);
      element.removeEventListener("pause", report);
      element.removeEventListener("ended", report);
      document.removeEventListener("visibilitychange", onHidden);
      removeEventListener("pagehide", report);
    };
  }, [video, malId, episode, isMember]);
}

/** `keepalive` lets the request end after the page is closed. The next report replaces one that is lost. */
const send = (report: object) =>
  void fetch(progressApiPath(), {
    method: "PUT",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(report),
  }).catch(() => {});
