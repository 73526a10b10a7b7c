import { startTransition, useEffect, useState } from "react";

/** As many rows as a large screen shows. */
const first = 11;
const perStep = 2;
const stepMs = 25;

/**
 * How many rows have their fields: at first those in sight, then a few more at a time. The fields of a hundred rows at once
 * would block a slow phone for a second.
 */
export function useGrowingNumber(total: number): number {
  const [number, setNumber] = useState(first);
  useEffect(() => {
    if (number >= total) return;
    const timer = setTimeout(() => startTransition(() => setNumber(number + perStep)), stepMs);
    return () => clearTimeout(timer);
  }, [number, total]);
  return number;
}
