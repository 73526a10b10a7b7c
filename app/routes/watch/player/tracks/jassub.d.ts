/** The part of jassub that the player uses. In its own types all members are public, also those of its worker. */
declare module "jassub" {
  type Options = {
    video: HTMLVideoElement;
    subContent: string;
    /** Addresses of font files. */
    fonts: readonly string[];
    /** The name of one of the fonts. */
    defaultFont: string;
    queryFonts: false;
  };
  /** `Alignment` is 1 to 3 at the bottom of the picture. `MarginV` counts in the script's own resolution. */
  type Style = { Alignment: number; MarginV: number };
  type Frame = { mediaTime: number; width: number; height: number; expectedDisplayTime: number };

  export default class Jassub {
    static _supportsSIMD: boolean;
    readonly ready: Promise<void>;
    readonly _worker: Worker;
    readonly _canvas: HTMLCanvasElement;
    /** Added to the time of the film, in seconds. */
    timeOffset: number;
    /** A frame is drawn. */
    readonly busy: boolean;
    /** Only after `ready`. */
    readonly renderer: {
      /** Addresses of font files. Done when they are loaded. */
      addFonts(urls: readonly string[]): Promise<void>;
      getStyles(): Promise<Style[]>;
      setStyle(style: Style, index: number): Promise<void>;
    };
    constructor(options: Options);
    /** Without a size, that of the video element. */
    resize(repaint: boolean, width?: number, height?: number): Promise<void>;
    manualRender(frame: Frame, repaint: boolean): Promise<void>;
    destroy(): Promise<void>;
  }
}
