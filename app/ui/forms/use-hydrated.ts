import { useEffect, useState } from "react";

/** False on the server and without scripts, where a control that needs scripts would do nothing. */
export function useHydrated(): boolean {
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return isHydrated;
}
