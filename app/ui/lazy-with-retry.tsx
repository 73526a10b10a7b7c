import { type ComponentType, type ReactNode, useEffect, useState } from "react";

/**
 * A part of a running page with its own script, which the viewer has requested and waits for. If the script cannot be
 * loaded, the page says so in the part's place and offers a retry. `otherwise` is shown meanwhile. Parts of `late`,
 * which the server renders too, stay away without a message.
 */
export function lazyWithRetry<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  className: string,
  otherwise?: (props: Props) => ReactNode,
) {
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each part, when its module loads, as `lazy` is
  return function PartWithRetry(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props>>();
    const [state, setState] = useState<"loading" | "failed">("loading");
    useEffect(() => {
      if (state === "loading")
        load().then(
          (part) => setPart(() => part),
          () => setState("failed"),
        );
    }, [state]);
    if (Part) return <Part {...props} />;
    if (state === "loading") return null;
    return (
      <div className={className} role="alert">
        <p>This part of the page could not be loaded. Check the connection.</p>
        <button className="button" data-size="small" type="button" onClick={() => setState("loading")}>
          Try again
        </button>
        {otherwise?.(props)}
      </div>
    );
  };
}
