/** The part of jassub that the player uses. jassub's own types declare all members public, also those of its worker. */
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
  /** `Alignment` is 1 to 3 at the bottom of the picture. `MarginV` is in the script's own resolution. */
  type Style = { Alignment: number; MarginV: number };
  type Frame = { mediaTime: number; width: number; height: number; expectedDisplayTime: number };

  export default class Jassub {
    static _supportsSIMD: boolean;
    readonly ready: Promise<void>;
    readonly _worker: Worker;
    readonly _canvas: HTMLCanvasElement;
    /** Added to the time of the film, in seconds. */
    timeOffset: number;
    /** Whether a frame is being drawn. */
    readonly busy: boolean;
    /** Available after `ready`. */
    readonly renderer: {
      /** Takes the addresses of font files, and resolves when the fonts are loaded. */
      addFonts(urls: readonly string[]): Promise<void>;
      getStyles(): Promise<Style[]>;
      setStyle(style: Style, index: number): Promise<void>;
    };
    constructor(options: Options);
    /** Uses the size of the video element if no size is given. */
    resize(repaint: boolean, width?: number, height?: number): Promise<void>;
    manualRender(frame: Frame, repaint: boolean): Promise<void>;
    destroy(): Promise<void>;
  }
}
