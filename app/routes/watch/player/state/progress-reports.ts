import { type RefObject, useEffect, useRef } from "react";
import { progressApiPath } from "#app/paths.ts";
import { resumeSeconds } from "./playback.ts";
import { saveResumePoint } from "./player-memory.ts";

/** Reports the position while playing, at a pause and on leaving: to the server, or for visitors to the browser. */

const reportEverySeconds = 10;

/** The server's answer to a member's report. The page may show another episode by the time it arrives. */
export type ProgressAnswer = {
  malId: number;
  episode: number;
  watched: boolean;
  offers_completed: boolean;
  on_list?: { added: boolean; moved: boolean; offers_rewatch: boolean };
};

type Reports = {
  malId: number;
  episode: number;
  isMember: boolean;
  isRemembered: boolean;
  onReported(answer: ProgressAnswer): void;
};

export function useProgressReports(
  video: RefObject<HTMLVideoElement | null>,
  { malId, episode, isMember, isRemembered, onReported }: Reports,
) {
  const answered = useRef(onReported);
  answered.current = onReported;
  useEffect(() => {
    const element = video.current;
    if (!element || !isRemembered) return;
    let reported = -1;
    const report = () => {
      const { currentTime: position, duration } = element;
      if (!Number.isFinite(duration) || position < 1 || Math.abs(position - reported) < 1) return;
      reported = position;
      const at = new Date().toISOString();
      if (isMember)
        void send({ mal_id: malId, ep: episode, position, duration, at, list: true }).then(
          (answer) => answer && answered.current({ ...answer, malId, episode }),
        );
      else saveResumePoint(malId, episode, resumeSeconds(position, duration) ?? 0);
    };
    const onTime = () => {
      if (Math.abs(element.currentTime - reported) >= reportEverySeconds && !element.seeking) report();
    };
    const onHidden = () => {
      if (document.visibilityState === "hidden") report();
    };
    const ended = new AbortController();
    const { signal } = ended;
    element.addEventListener("timeupdate", onTime, { signal });
    element.addEventListener("pause", report, { signal });
    element.addEventListener("ended", report, { signal });
    document.addEventListener("visibilitychange", onHidden, { signal });
    addEventListener("pagehide", report, { signal });
    return () => {
      report();
      ended.abort();
    };
  }, [video, malId, episode, isMember, isRemembered]);
}

/** `keepalive` lets the request end after the page is closed. The next report replaces one that is lost. */
async function send(report: object): Promise<Omit<ProgressAnswer, "malId" | "episode"> | null> {
  try {
    const response = await fetch(progressApiPath(), {
      method: "PUT",
      keepalive: true,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(report),
    });
    return response.ok ? ((await response.json()) as { data: ProgressAnswer }).data : null;
  } catch {
    return null;
  }
}
