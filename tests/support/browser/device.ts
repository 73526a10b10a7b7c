/**
 * The interface of a browser in a journey. Playwright's Chromium and puppeteer's Firefox both implement it, so both run
 * the same journeys.
 */
export type Device = {
  origin: string;
  /** Opens a page of the site and waits until React controls it. */
  open(path: string): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  run<Result, Argument = undefined>(
    inPage: (argument: Argument) => Result | Promise<Result>,
    ...argument: Argument extends undefined ? [] : [Argument]
  ): Promise<Result>;
  press(key: string): Promise<void>;
  drag(from: Point, to: Point): Promise<void>;
  dragByFinger(from: Point, to: Point): Promise<void>;
  tap(at: Point): Promise<void>;
  /** The window as a PNG. */
  screenshot(): Promise<Uint8Array>;
  choosePicture(field: string, file: string): Promise<void>;
};

export type Point = { x: number; y: number };

/** The position and size of an element in the window, in CSS pixels. */
export const boxOf = (device: Device, selector: string) =>
  device.run((wanted: string) => {
    const { x, y, width, height } = (document.querySelector(wanted) as Element).getBoundingClientRect();
    return { x, y, width, height };
  }, selector);

/** Moves the page's film to this second and waits until it is there. */
export const seek = (device: Device, seconds: number) =>
  device.run(async (wanted: number) => {
    const video = document.querySelector("video") as HTMLVideoElement;
    const arrived = new Promise((done) => video.addEventListener("seeked", done, { once: true }));
    video.currentTime = wanted;
    await arrived;
  }, seconds);
