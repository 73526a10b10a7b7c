import { isLoopbackHost } from "#app/platform/upstream/local-mode.ts";

type Settings = {
  HOST: string;
  PUBLIC_URL?: string | undefined;
  PROXY_ALLOWED_HOSTS?: unknown;
  PROXY_SIGNING_SECRET?: string | undefined;
};

/** The warning that strangers can use the video proxy, shown at startup and to operators. Null if they cannot. */
export function openProxyText(env: Settings): string | null {
  const isReachable = env.PUBLIC_URL !== undefined || !isLoopbackHost(env.HOST);
  if (!isReachable || env.PROXY_ALLOWED_HOSTS || env.PROXY_SIGNING_SECRET) return null;
  return "anybody may fetch films through the video proxy. To prevent this, set PROXY_ALLOWED_HOSTS or PROXY_SIGNING_SECRET";
}
