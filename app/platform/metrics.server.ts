import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * The metrics of this process. Labels must come from closed sets, never from requests: each new value uses memory
 * permanently.
 */
export const registry = new Registry();
collectDefaultMetrics({ register: registry, prefix: "engawa_" });

const registers = [registry];

export const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
  new Counter({ name: `engawa_${name}`, help, labelNames, registers });

export const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
  new Gauge({
    name: `engawa_${name}`,
    help,
    registers,
    async collect() {
      this.set(await read());
    },
  });

export const histogram = <Label extends string>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) => new Histogram({ name: `engawa_${name}`, help, buckets, labelNames, registers });
